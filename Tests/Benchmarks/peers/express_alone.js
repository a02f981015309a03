// Express with one route, one parameter and the same bytes each time, two workers: what Programs/HTTPAlone.swift is on the other side.
"use strict";
const cluster = require("cluster");

const [port] = process.argv.slice(2);
if (cluster.isPrimary || cluster.isMaster) {
  for (let worker = 0; worker < 2; worker++) cluster.fork();
  cluster.on("exit", () => process.exit(1));
  process.on("SIGTERM", () => process.exit(0));
  return;
}

const app = require("express")();
app.disable("x-powered-by");
const body = "x".repeat(512);
app.get("/v1/spots/:id", (request, response) => response.type("application/json").send(body));
app.listen(+port, "127.0.0.1");
