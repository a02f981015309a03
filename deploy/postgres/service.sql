-- One service's schema and its two roles: <service>_owner has the schema and changes its tables, <service> changes their rows. Both see no other.
-- Safe to run again, also to change the passwords, and on a database in which the service's own role had the tables.
-- From the environment: SERVICE (role and schema), SERVICE_PASSWORD, OWNER_PASSWORD. Run as the superuser in Kampong's database.
\getenv service SERVICE
\getenv password SERVICE_PASSWORD
\getenv owner_password OWNER_PASSWORD
\set owner :service _owner
SET client_min_messages = warning;
SELECT format('CREATE ROLE %I', role) FROM unnest(ARRAY[:'service', :'owner']) AS role
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) \gexec
ALTER ROLE :"service" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION PASSWORD :'password';
ALTER ROLE :"owner" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION PASSWORD :'owner_password';
-- earthdistance and its kin are in public; the service's own schema comes first.
ALTER ROLE :"service" SET search_path = :"service", public;
ALTER ROLE :"owner" SET search_path = :"service", public;
SELECT format('REVOKE ALL ON DATABASE %I FROM %I', current_database(), :'service') \gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), :'service') \gexec
SELECT format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO %I', current_database(), :'owner') \gexec
-- What the service may do with tables that are there is settled by their owner, after its migrations (Shared/Postgres/TablePrivileges.swift).
BEGIN;
CREATE SCHEMA IF NOT EXISTS :"service" AUTHORIZATION :"owner";
REASSIGN OWNED BY :"service" TO :"owner";
ALTER SCHEMA :"service" OWNER TO :"owner";
REVOKE ALL ON SCHEMA :"service" FROM PUBLIC, :"service";
GRANT USAGE ON SCHEMA :"service" TO :"service";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA :"service" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO :"service";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA :"service" GRANT USAGE ON SEQUENCES TO :"service";
COMMIT;
