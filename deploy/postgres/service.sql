-- One service's role and schema. The role owns its schema and sees no other. Safe to run again, also to change the password.
-- From the environment: SERVICE (role and schema), SERVICE_PASSWORD. Run as the superuser in Kampong's database.
\getenv service SERVICE
\getenv password SERVICE_PASSWORD
SET client_min_messages = warning;
SELECT format('CREATE ROLE %I', :'service')
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'service') \gexec
ALTER ROLE :"service" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION PASSWORD :'password';
-- earthdistance and its kin are in public; the service's own schema comes first.
ALTER ROLE :"service" SET search_path = :"service", public;
CREATE SCHEMA IF NOT EXISTS :"service" AUTHORIZATION :"service";
ALTER SCHEMA :"service" OWNER TO :"service";
REVOKE ALL ON SCHEMA :"service" FROM PUBLIC;
SELECT format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO %I', current_database(), :'service') \gexec
