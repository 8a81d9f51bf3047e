// Bundles the page of reports to one HTML template that the C++ build fills with data.
//   node build.mjs           writes src/reporting/page/report_template.html
//   node build.mjs --check   fails if that file is not what would be written
import {createHash} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import * as esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const output = join(here, '../../src/reporting/page/report_template.html');

async function bundle(entry) {
  const result = await esbuild.build({
    entryPoints: [join(here, 'src', entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['es2022'],
    charset: 'utf8',
    legalComments: 'none',
    absWorkingDir: here,
    logLevel: 'warning',
  });
  return result.outputFiles[0].text.trim();
}

function licence(name) {
  const text = readFileSync(join(here, 'node_modules', name, 'LICENSE'), 'utf8');
  return `${name}\n${text.trim().replaceAll('--', '- -')}`;
}

const hash = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

async function build() {
  // a closing tag inside the script would end it
  const script = (await bundle('main.js')).replaceAll('</script', '<\\/script');
  const style = await bundle('style.css');
  const policy = [
    `default-src 'none'`,
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    `img-src data:`,
    `connect-src @@spacedyn-connect@@`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
  ].join('; ');
  const parts = {
    policy,
    script,
    style,
    licences: ['three', 'uplot'].map(licence).join('\n\n'),
  };
  return readFileSync(join(here, 'src/page.html'), 'utf8')
      .replace(/@(policy|script|style|licences)@/g, (_, name) => parts[name]);
}

const page = await build();
if (!process.argv.includes('--check')) {
  writeFileSync(output, page);
  console.log(`${output}: ${Buffer.byteLength(page)} bytes`);
} else if (readFileSync(output, 'utf8') !== page) {
  console.error('src/reporting/page/report_template.html is not what apps/viewer gives;' +
                ' run npm run build in apps/viewer');
  process.exit(1);
} else {
  console.log(`the template is up to date, sha256 ${createHash('sha256').update(page).digest('hex')}`);
}
