import { readFileSync } from 'node:fs'
import { detected } from './src/environment/detected.ts'
for (const n of process.argv.slice(2)) {
const v = JSON.parse(readFileSync(`/tmp/me/detect/${n}.json`, 'utf8'))
const d = detected(v.found)
console.log(n, JSON.stringify({ test: d.test, tests: d.tests, checks: d.checks, nested: d.nested.map((x) => [x.folder, x.test]) }, null, 1))
}
