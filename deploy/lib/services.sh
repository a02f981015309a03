# The services by name, for every script: this machine's, and those of the containers. Sourced, never run.
# shellcheck shell=bash disable=SC2034  # what is set here is used by those who source it

# Those that own a schema and publish events; and all that run, which is one more: the gateway owns nothing.
stateful_services=(auth listings rides matching notification places chat)
services=("${stateful_services[@]}" gateway)
