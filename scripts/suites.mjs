import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { LATER } from './bd.mjs'
import { withFaultTable } from './fault-table.mjs'
import { withCluster } from './kubernetes.mjs'
import { node24, root, run, say, Stop } from './run.mjs'
import { closeScratch, openScratch } from './scratch.mjs'

const onDocker = ['bundles', 'docker', 'namespaces', 'images']

/** Every suite: what has to be there before (`preparation.mjs`), and how it is run. */
export const suites = {
  check: { needs: ['dependencies'], run: () => scriptSuite('check', 'scripts/check.mjs') },
  unit: { needs: ['bundles'], run: () => vitestSuite('unit', { more: ['unit-processes'], inMemory: true }) },
  'unit-long': { needs: ['bundles'], run: () => vitestSuite('unit-long', { inMemory: true }) },
  contract: { needs: onDocker, run: () => vitestSuite('contract') },
  'contract-long': { needs: onDocker, run: () => vitestSuite('contract-long') },
  policy: { needs: onDocker, run: () => vitestSuite('policy', { inMemory: true }) },
  'policy-long': { needs: onDocker, run: () => vitestSuite('policy-long', { inMemory: true }) },
  flow: { needs: onDocker, run: () => vitestSuite('flow') },
  'flow-long': { needs: onDocker, run: () => vitestSuite('flow-long') },
  'faults-short': { needs: onDocker, run: () => withFaultTable((env) => vitestSuite('faults-short', { env })) },
  e2e: { needs: [...onDocker, 'chromium'], run: () => vitestSuite('e2e') },
  dashboard: { needs: [...onDocker, 'chromium'], run: () => vitestSuite('dashboard') },
  faults: { needs: onDocker, run: () => withFaultTable((env) => vitestSuite('faults', { env })) },
  agents: {
    needs: onDocker,
    run: () => vitestSuite('flow', { more: ['flow-long'], files: AGENTS, env: { AGENTS: 'all' } }),
  },
  'agents-by-exec': {
    needs: onDocker,
    run: () => vitestSuite('flow', { more: ['flow-long'], files: AGENTS, env: { AGENTS: 'all', CARRIER: 'exec' } }),
  },
  podman: { needs: ['bundles', 'docker'], run: () => vitestSuite('podman', { reporter: 'verbose' }) },
  remote: { needs: ['bundles', 'docker', 'namespaces'], run: () => vitestSuite('remote') },
  kubernetes: {
    needs: [...onDocker, 'kubernetes', 'kueue', 'helm'],
    run: () => withCluster((env) => vitestSuite('kubernetes', { env })),
  },
  bd: { needs: [...onDocker, 'bd', 'chromium'], run: () => vitestSuite('bd') },
  ...Object.fromEntries(
    Object.entries(LATER).map(([name, BD_VERSION]) => [
      name,
      { needs: [...onDocker, name, 'chromium'], run: () => vitestSuite('bd', { env: { BD_VERSION } }) },
    ]),
  ),
  forge: { needs: [...onDocker, 'gitea'], run: () => vitestSuite('forge') },
  chart: { needs: ['dependencies', 'helm'], run: () => vitestSuite('chart') },
  images: { needs: [...onDocker, 'emulation'], run: () => vitestSuite('images') },
  services: { needs: onDocker, run: () => vitestSuite('services') },
  repositories: { needs: onDocker, run: () => vitestSuite('repositories') },
  fuzz: { needs: onDocker, run: () => vitestSuite('fuzz', { reporter: 'verbose' }) },
  'policy-on-docker': {
    needs: onDocker,
    run: () => vitestSuite('policy', { more: ['policy-long'], env: { TEST_ENGINE: 'docker' } }),
  },
}

export const AGENTS = ['agents', 'agents-ask', 'agents-planned', 'agents-trouble'].map(
  (name) => `test/flow/${name}.test.ts`,
)

/** Throws `Stop` when there is no such suite. */
export function checkNames(names) {
  const unknown = names.filter((name) => !(name in suites))
  if (unknown.length > 0)
    throw new Stop(`There is no suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}.`)
}

/**
 * The suites, one after the other; one that fails does not keep the next from running. `ready` waits for what they need.
 */
export async function runSuites(names, ready) {
  await ready(['dependencies']) // without them nothing can be run at all
  const results = []
  for (const name of names) {
    const waitedFrom = Date.now()
    const counts = await ready(suites[name].needs).then(
      async (lacking) => {
        say(`\n── ${name} ──`)
        return { ...(await suites[name].run()), lacking }
      },
      (error) => notReady(name, error),
    )
    results.push({ name, ...counts, seconds: (Date.now() - waitedFrom) / 1000 })
  }
  return results
}

function notReady(name, error) {
  if (!(error instanceof Stop)) throw error
  say(`\n── ${name} cannot be run ──\n${error.message}`)
  const why = error.message.split('\n', 1)[0]
  return { passed: 0, failed: 1, skipped: 0, failures: [{ file: name, test: 'what it needs', why }] }
}

/**
 * @param more projects of vitest that belong to it, too
 * @param inMemory its temporary files need no disk: it is about what Beadloom decides, and another suite has a real one
 * @param reporter `verbose` names each test when it has ended: for a file that takes many minutes
 */
async function vitestSuite(project, { more = [], files = [], env = {}, inMemory = false, reporter = 'default' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'beadloom-test-'))
  const file = join(folder, 'results.json')
  const reporters = [`--reporter=${reporter}`, '--reporter=json', `--outputFile.json=${file}`]
  const projects = [project, ...more].flatMap((name) => ['--project', name])
  const scratch = inMemory ? openScratch() : null
  const temp = scratch === null ? {} : { TMPDIR: scratch }
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...projects, ...reporters, ...files]
  try {
    const succeeded = await ends(
      run(node24, args, { env: { ...process.env, ...temp, ...env }, why: `the ${project} tests` }),
    )
    const counts = countsIn(file)
    // A file that could not be loaded, or an error between the tests, fails a run without failing a test.
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
