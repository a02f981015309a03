// Starts the program that asks twice, as two workers of node's cluster, and answers whether this is the process that only watches them.
"use strict";
const cluster = require("cluster");

module.exports = function watchesTwoWorkers() {
  if (!cluster.isPrimary && !cluster.isMaster) return false;
  for (let worker = 0; worker < 2; worker++) cluster.fork();
  // One that ends is not started again: a measurement with one worker would be none.
  cluster.on("exit", () => process.exit(1));
  process.on("SIGTERM", () => process.exit(0));
  return true;
};
