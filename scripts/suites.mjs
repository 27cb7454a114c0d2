import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { LATER } from './bd.mjs'
import { withFaultTable } from './fault-table.mjs'
import { withCluster } from './kubernetes.mjs'
import { node24, root, run, say, Stop } from './run.mjs'
import { closeScratch, openScratch } from './scratch.mjs'
import { addBreak, addRow, countsOf, firstLine, lastRows, leftOf } from './tested.mjs'

const onDocker = ['bundles', 'docker', 'namespaces', 'images']

export const AGENTS = [
  'agents',
  'agents-answered',
  'agents-ask',
  'agents-at-bad-moments',
  'agents-planned',
  'agents-told',
  'agents-trouble',
].map((name) => `test/flow/${name}.test.ts`)

/**
 * Decisions about containers. The others are the same on any engine: one whole run of them on Docker took four hours, and
 * found nothing that `flow`, `faults` and `agents` had not.
 */
const CONTAINERS = [
  'base-restart',
  'early-container',
  'egress-restart',
  'images',
  'kept-later',
  'parking',
  'restart',
  'services',
  'unsaved',
  'warm',
].map((name) => `test/policy/${name}.test.ts`)

/**
 * Every suite: its needs (`preparation.mjs`), and the script, or the Vitest projects, to run. `inMemory`: its temporary
 * files need no disk, because it is about Beadloom's decisions, and another suite uses a real one. `verbose` names each
 * test when it has ended: for a file that takes many minutes. `around`: a function that runs around the suite.
 */
export const suites = {
  check: { needs: ['dependencies'], script: 'scripts/check.mjs' },
  unit: { needs: ['bundles'], projects: ['unit', 'unit-processes'], inMemory: true },
  'unit-long': { needs: ['bundles'], projects: ['unit-long'], inMemory: true },
  contract: { needs: onDocker, projects: ['contract'] },
  'contract-long': { needs: onDocker, projects: ['contract-long'] },
  policy: { needs: onDocker, projects: ['policy'], inMemory: true },
  'policy-long': { needs: onDocker, projects: ['policy-long'], inMemory: true },
  flow: { needs: onDocker, projects: ['flow'] },
  'flow-long': { needs: onDocker, projects: ['flow-long'] },
  'faults-short': { needs: onDocker, projects: ['faults-short'], around: withFaultTable },
  e2e: { needs: [...onDocker, 'chromium'], projects: ['e2e'] },
  dashboard: { needs: [...onDocker, 'chromium'], projects: ['dashboard'] },
  faults: { needs: onDocker, projects: ['faults'], around: withFaultTable },
  agents: { needs: onDocker, projects: ['flow', 'flow-long'], files: AGENTS, env: { AGENTS: 'all' } },
  'agents-by-exec': {
    needs: onDocker,
    projects: ['flow', 'flow-long'],
    files: AGENTS,
    env: { AGENTS: 'all', CARRIER: 'exec' },
  },
  podman: { needs: ['bundles', 'docker'], projects: ['podman'], verbose: true },
  remote: { needs: ['bundles', 'docker', 'namespaces'], projects: ['remote'] },
  kubernetes: { needs: [...onDocker, 'kubernetes', 'kueue', 'helm'], projects: ['kubernetes'], around: withCluster },
  bd: { needs: [...onDocker, 'bd', 'chromium'], projects: ['bd'] },
  ...Object.fromEntries(
    Object.entries(LATER).map(([name, BD_VERSION]) => [
      name,
      { needs: [...onDocker, name, 'chromium'], projects: ['bd'], env: { BD_VERSION } },
    ]),
  ),
  forge: { needs: [...onDocker, 'gitea'], projects: ['forge'] },
  chart: { needs: ['dependencies', 'helm'], projects: ['chart'] },
  images: { needs: [...onDocker, 'emulation'], projects: ['images'] },
  services: { needs: onDocker, projects: ['services'] },
  repositories: { needs: onDocker, projects: ['repositories'] },
  fuzz: { needs: onDocker, projects: ['fuzz'], verbose: true },
  'policy-on-docker': { needs: onDocker, projects: ['policy'], env: { TEST_ENGINE: 'docker' } },
  'policy-long-on-docker': {
    needs: onDocker,
    projects: ['policy-long'],
    files: CONTAINERS,
    env: { TEST_ENGINE: 'docker' },
  },
}

/** Throws `Stop` for an unknown suite. */
export function checkNames(names) {
  const unknown = names.filter((name) => !(name in suites))
  if (unknown.length > 0)
    throw new Stop(`There is no suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}.`)
}

/**
 * Runs suites one after the other; a failing one does not stop the next. `ready` waits for their needs.
 *
 * @param records the file that notes each test file as it ends (`tested.mjs`); null: none
 * @param chosen selects the parts of a suite that run; the others count as noted
 */
export async function runSuites(names, ready, { records = null, chosen = null } = {}) {
  await ready(['dependencies']) // without them nothing can be run at all
  const results = []
  for (const name of names) {
    const waitedFrom = Date.now()
    const counts = await runSuite(name, ready, records, chosen).catch((error) => notReady(name, error))
    results.push({ name, seconds: (Date.now() - waitedFrom) / 1000, ...counts })
  }
  return results
}

async function runSuite(name, ready, records, chosen) {
  const suite = suites[name]
  const parts = records === null ? null : await partsOf(suite)
  const todo = chosen === null || parts === null ? null : chosen(name, parts)
  if (todo?.length !== 0) {
    const lacking = await ready(suite.needs)
    say(`\n── ${name}${todo === null ? '' : `, ${todo.length} of ${parts.length} files`} ──`)
    const { around = (work) => work({}) } = suite
    const run = suite.script ? scriptSuite : vitestSuite
    const counts = await around((env) => run(name, suite, { env, todo, records }))
    if (records === null) return { ...counts, lacking }
    const rows = lastRows(records).get(name)
    const noted = countsOf(rows, parts)
    const isWhole = counts.failed === 0 && leftOf(rows, todo ?? parts).length === 0
    if (isWhole || noted.failed > 0) return { ...noted, lacking }
    // A run that breaks off reports no file that failed, and must not look as if it had passed.
    addBreak(records, name)
  } else say(`\n── ${name}: nothing is left to run ──`)
  return countsOf(lastRows(records).get(name), parts)
}

/** The files of a suite, each with its project. */
export async function partsOf({ script, projects, files = [] }) {
  if (script) return [{ project: '', file: script }]
  allParts ??= listed()
  const all = await allParts
  return all.filter(({ project, file }) => projects.includes(project) && (files.length === 0 || files.includes(file)))
}

let allParts = null

async function listed() {
  const out = await run(node24, [vitest, 'list', '--filesOnly', '--json'], { quiet: true, why: 'listing the tests' })
  return JSON.parse(out.slice(out.indexOf('['))).map((one) => ({
    project: one.projectName,
    file: relative(root, one.file),
  }))
}

const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const projectsOf = (projects) => projects.flatMap((name) => ['--project', name])

function notReady(name, error) {
  if (!(error instanceof Stop)) throw error
  say(`\n── ${name} cannot be run ──\n${error.message}`)
  const why = error.message.split('\n', 1)[0]
  return { passed: 0, failed: 1, skipped: 0, failures: [{ file: name, test: 'what it needs', why }] }
}

async function vitestSuite(name, suite, { env, todo, records }) {
  const { projects, inMemory = false, verbose = false } = suite
  const files = todo === null ? (suite.files ?? []) : todo.map(({ file }) => file)
  const folder = mkdtempSync(join(tmpdir(), 'beadloom-test-'))
  const file = join(folder, 'results.json')
  const reporters = [`--reporter=${verbose ? 'verbose' : 'default'}`, '--reporter=json', `--outputFile.json=${file}`]
  if (records !== null) reporters.push(`--reporter=${join(root, 'scripts/recording-reporter.mjs')}`)
  const scratch = inMemory ? openScratch() : null
  const temp = scratch === null ? {} : { TMPDIR: scratch }
  const noted = records === null ? {} : { TESTED_ROWS: records.file, TESTED_SUITE: name }
  const args = [vitest, 'run', ...projectsOf(projects), ...reporters, ...files]
  try {
    const succeeded = await ends(
      run(node24, args, {
        env: { ...process.env, ...temp, ...suite.env, ...env, ...noted },
        why: `the ${name} tests`,
      }),
    )
    const counts = countsIn(file)
    // A file that could not be loaded, or an error outside of tests, fails a run without failing a test.
    return succeeded || counts.failed > 0 ? counts : { ...counts, failed: 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    closeScratch(scratch)
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

/**
 * The failures in a file, each with the first line of its message: for the end of a long output, which is all that some
 * tools keep.
 */
function failuresOf({ name, message, assertionResults }) {
  const file = relative(root, name)
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return message ? [{ file, test: 'the file itself', why: firstLine(message) }] : []
  return failed.map(({ fullName, failureMessages }) => ({ file, test: fullName, why: firstLine(failureMessages[0]) }))
}

/** Runs a script as a suite. A script that ends well counts as one passed test. */
async function scriptSuite(name, { script }, { records }) {
  const begun = Date.now()
  const succeeded = await ends(run(node24, [join(root, script)], { why: name }))
  const counts = { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 }
  if (records !== null)
    addRow(records, { suite: name, project: '', file: script, ...counts, seconds: (Date.now() - begun) / 1000 })
  return counts
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
