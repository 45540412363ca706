// Reads what a server said, [{asked, message}, ...], where `asked` is the method that a message answers, if it answers
// one. Prints what of it is not as the protocol's types are declared, and which methods it said nothing of.
'use strict';
const fs = require('fs');
const path = require('path');
const Ajv = require('ajv').default;
const generator = require('ts-json-schema-generator');

const schema = generator
  .createGenerator({ path: path.join(__dirname, 'messages.ts'), tsconfig: path.join(__dirname, 'tsconfig.json') })
  .createSchema('*');
const ajv = new Ajv({ strict: false, allowUnionTypes: true }).addSchema(schema, 'protocol');

function type_of({ asked, message }) {
  if ('error' in message) {
    return 'Refusal';
  }
  const pointed = (asked ?? message.method).replace(/\//g, '~1');
  return `${asked ? 'Answers' : 'Told'}/properties/${encodeURIComponent(pointed)}`;
}

function complaint(heard) {
  const check = ajv.getSchema(`protocol#/definitions/${type_of(heard)}`);
  if (!check) {
    return 'not in messages.ts';
  }
  return check(heard.message) ? undefined : ajv.errorsText(check.errors);
}

const all = JSON.parse(fs.readFileSync(0, 'utf8'));
const complaints = all
  .map((heard) => [complaint(heard), JSON.stringify(heard)])
  .filter(([found]) => found)
  .map(([found, heard]) => `${found}: ${heard.slice(0, 500)}`);
const said = new Set(all.map(({ asked, message }) => asked ?? message.method));
const { Answers, Told } = schema.definitions;
const unsaid = [...Answers.required, ...Told.required].filter((method) => !said.has(method));
console.log(JSON.stringify({ complaints, unsaid }));
