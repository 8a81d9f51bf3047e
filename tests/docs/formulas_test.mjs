// Every formula of the guides is LaTeX that KaTeX draws without a complaint.
// Usage: node formulas_test.mjs KATEX.min.js DOCS_FOLDER
import {readdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';

const [library, docs] = process.argv.slice(2);
const katex = createRequire(import.meta.url)(library);
let count = 0;
for (const page of readdirSync(docs).filter((name) => name.endsWith('.md'))) {
  for (const [, formula] of readFileSync(join(docs, page), 'utf8').matchAll(/^```math\n(.*?)^```$/gms)) {
    try {
      katex.renderToString(formula, {displayMode: true, strict: 'error'});
      ++count;
    } catch (error) {
      console.error(`${page}: ${error.message}\n${formula}`);
      process.exitCode = 1;
    }
  }
}
console.log(`${count} formulas are drawn`);
if (count === 0) process.exitCode = 1;
