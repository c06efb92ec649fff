// node validate.cjs PACKAGE: what the Khronos glTF validator, an npm package in that folder, says of the files whose
// paths stand on standard input, one a line. Writes a line of JSON for each: {path, messages: [{severity, code, ...}]}.
const fs = require("fs");
const path = require("path");

const validator = require(path.resolve(process.argv[2]));

async function main() {
  for (const file of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
      maxIssues: 0,
      externalResourceFunction: async (uri) => new Uint8Array(fs.readFileSync(path.join(path.dirname(file), uri))),
    });
    console.log(JSON.stringify({ path: file, messages: report.issues.messages }));
  }
}

main();
