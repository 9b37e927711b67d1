#!/usr/bin/env node
"use strict";

// Every command pays for what is done here, so it is thin.
const { runAgain } = require("./quick-commands.js");

if (!runAgain(process.argv[2])) require("./launch.js");
