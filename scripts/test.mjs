// `npm test`: sets up what the tests need, then runs the suites that are named, or those of `byDefault`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ensureBd } from './bd.mjs'
import { ensureBuilt } from './build.mjs'
import { ensureChromium } from './chromium.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureDocker } from './docker-engine.mjs'
import { ensureGitea } from './gitea.mjs'
import { main, node24, root, run, say, Stop } from './run.mjs'

const suites = {
  check: () => scriptSuite('check', 'scripts/check.mjs'),
  unit: () => vitestSuite('unit'),
  contract: () => vitestSuite('contract'),
  policy: () => vitestSuite('policy'),
  flow: () => vitestSuite('flow'),
  e2e: () => vitestSuite('e2e'),
  dashboard: () => vitestSuite('dashboard'),
  bd: () => vitestSuite('bd'),
  forge: () => vitestSuite('forge'),
}
/**
 * Only where asked for: the dashboard at length, and what wants a real bd or a real Gitea, which are built for it and
 * take longer than everything else.
 */
const byDefault = ['check', 'unit', 'contract', 'policy', 'flow', 'e2e']

await main(async () => {
  const asked = process.argv.slice(2)
  if (asked.includes('--help') || asked.includes('-h')) {
    return say(
      `npm test [-- SUITE …]: sets up what the tests need and runs the suites ${Object.keys(suites).join(', ')} (default: ${byDefault.join(', ')}; dashboard is long, bd and forge first build a real bd and a real Gitea with Go).\nREQUIRE_ALL=1 makes a failure of every test that would be skipped.`,
    )
  }
  const unknown = asked.filter((name) => !(name in suites))
  if (unknown.length > 0)
    throw new Stop(`There is no suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}.`)
  const names = asked.length > 0 ? asked : byDefault
  await ensureDependencies()
  await ensureBuilt()
  if (names.some((name) => name !== 'check')) await ensureDocker()
  if (names.includes('e2e') || names.includes('dashboard')) await ensureChromium()
  // Takes long the first time, so it goes on beside the suites that do not need it.
  const bd = names.includes('bd') ? ensureBd() : null
  const gitea = names.includes('forge') ? (bd ?? Promise.resolve()).then(ensureGitea) : null
  const results = []
  for (const name of names) {
    if (name === 'bd') await bd
    if (name === 'forge') await gitea
    say(`\n── ${name} ──`)
    results.push({ name, ...(await suites[name]()) })
  }
  report(results)
})

function report(results) {
  const sum = (key) => results.reduce((total, one) => total + one[key], 0)
  const broken = results.filter(({ failed }) => failed > 0).map(({ name }) => name)
  say('')
  for (const { name, passed, failed, skipped } of results) {
    say(`${name.padEnd(6)} ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  }
  const failures = results.flatMap(({ failures = [] }) => failures)
  for (const { test, file, why } of failures.slice(0, 30)) say(`✗ ${file}: ${test}\n    ${why}`)
  if (failures.length > 30) say(`… and ${failures.length - 30} more`)
  if (broken.length > 0)
    say(`Failed: ${broken.join(', ')}. The lines above say what; one suite alone: npm test -- ${broken[0]}`)
  // Alone on the last line, for whoever reads it with a program.
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`)
  if (broken.length > 0) process.exitCode = 1
}

async function vitestSuite(project) {
  const folder = mkdtempSync(join(tmpdir(), 'beadloom-test-'))
  const file = join(folder, 'results.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', project, ...reporters]
  try {
    const succeeded = await ends(run(node24, args, { why: `the ${project} tests` }))
    const counts = countsIn(file)
    // A file that could not be loaded, or an error between the tests, fails a run without failing a test.
    return succeeded || counts.failed > 0 ? counts : { ...counts, failed: 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function countsIn(file) {
  try {
    const result = JSON.parse(readFileSync(file, 'utf8'))
    const unloaded = result.testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
    )
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + unloaded.length,
      skipped: result.numPendingTests + result.numTodoTests,
      failures: result.testResults.flatMap(failuresOf),
    }
  } catch (error) {
    say(`The results of the tests could not be read: ${error.message}`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

/** What failed in a file, each with the first line of its message: for the end of a long output, which is all that some keep. */
function failuresOf({ name, message, assertionResults }) {
  const file = relative(root, name)
  const firstLine = (text = '') => text.trim().split('\n', 1)[0].slice(0, 300)
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return message ? [{ file, test: 'the file itself', why: firstLine(message) }] : []
  return failed.map(({ fullName, failureMessages }) => ({ file, test: fullName, why: firstLine(failureMessages[0]) }))
}

/** A script that ends well counts as one test that passed. */
async function scriptSuite(name, file) {
  const succeeded = await ends(run(node24, [join(root, file)], { why: name }))
  return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 }
}

async function ends(running) {
  try {
    await running
    return true
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    say(error.message)
    return false
  }
}
