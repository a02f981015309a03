// Express with one route, one parameter and the same bytes each time, two workers: what Programs/HTTPAlone.swift is on the other side.
"use strict";

const [port] = process.argv.slice(2);
if (require("./two_workers")()) return;

const app = require("express")();
app.disable("x-powered-by");
const body = "x".repeat(512);
app.get("/v1/spots/:id", (request, response) => response.type("application/json").send(body));
app.listen(+port, "127.0.0.1");
