# Who may do more than others, in the Kampong that deploy/up started on this machine, or that docker compose runs where it started none.
# Sourced after common.sh and home.sh.
# shellcheck shell=bash

# On this machine the operator's key is the stack's; in containers the one-shot has it.
kampong_roles() {
  if [ -f "$home/run/stack.json" ]; then
    unprivileged "$home/bin/kampong" "$@" --stack "$home/run/stack.json"
  elif have docker; then
    (cd "$root" && docker compose run --rm --no-deps database "$@")
  else
    fail "there is no Kampong here: deploy/up starts one."
  fi
}

# $1: the role as `kampong` knows it (moderators, operators); then the options. The script has a function `usage`.
change_role() {
  local role=$1 who='' act=grant
  shift
  while [ $# -gt 0 ]; do
    case $1 in
      --remove) act=revoke ;;
      --list) act=list ;;
      --help | -h)
        usage
        return 0
        ;;
      -*) fail "there is no option $1; $0 --help lists them." ;;
      *) who=$1 ;;
    esac
    shift
  done
  if [ "$act" = list ]; then
    kampong_roles "$role" list
  elif [ -n "$who" ]; then
    kampong_roles "$role" "$act" "$who"
  else
    usage >&2
    return 64
  fi
}
