import { configDefaults, defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { inOtherSuites, inSuite, startingProcesses, withLongTests } from './test/support/suite-files.ts'

const exclude = [...configDefaults.exclude, 'test/samples/**']

/** The files of a suite: those of its folders, but for those that name another one, and those that name this one. */
const files = (name: string, ...folders: string[]) => ({
  include: [...folders, ...inSuite(name)],
  exclude: [...exclude, ...inOtherSuites(name)],
})

/** These limits do not bound the code: they are room for a loaded machine, where git, Docker and Chromium start slowly. */
const patient = { expect: { poll: { timeout: 60_000 } } }
const minutes = (tests: number) => ({ testTimeout: tests * 60_000, hookTimeout: 600_000, ...patient })
// As many workers as there are processors; the usual one less leaves a small machine with one.
const quick = { maxWorkers: 2, testTimeout: 120_000, hookTimeout: 120_000, ...patient }
const oneAtATime = { fileParallelism: false }
/** Tests that the quick form of a suite leaves out (`packages/core/src/testing/long-test.ts`). */
const long = { LONG: '1' }
/**
 * A worker keeps its modules from file to file. Each of these files starts the whole server in its worker: to load and
 * compile that again takes two seconds of a processor. Nothing of a test may stay in a module, then.
 */
const keepsModules = { isolate: false }

/*
 * The suites, in the order in which one run of all would take them. `groupOrder` keeps them apart: real containers and
 * browsers wait until the others have left the processor.
 */
const suites: Record<string, { include: string[] } & Record<string, unknown>> = {
  unit: {
    include: [
      'packages/**/*.test.{ts,tsx}',
      'apps/**/*.test.{ts,tsx}',
      'test/architecture.test.ts',
      'test/docs.test.ts',
      'test/fuzz/growth.test.ts',
      'test/readme.test.ts',
      'test/public-repositories/**/*.test.ts',
      'test/verdicts/**/*.test.ts',
    ],
    exclude: [...exclude, ...inOtherSuites('unit'), ...startingProcesses],
    // A new process and all imports for each of 600 files would cost more than the tests themselves.
    ...keepsModules,
    ...quick,
  },
  'unit-processes': { ...files('unit-processes', ...startingProcesses), ...keepsModules, ...quick },
  'unit-long': {
    ...files('unit-long', ...withLongTests('apps'), ...withLongTests('packages'), ...withLongTests('test/fuzz')),
    env: long,
    ...quick,
  },
  // What the engines have in common, and what is Docker's own.
  contract: {
    ...files('contract', 'test/contract/**/*.test.ts'),
    // A file takes as long beside another as alone: they wait for Docker.
    maxWorkers: 3,
    ...keepsModules,
    ...minutes(2),
  },
  'contract-long': { ...files('contract-long'), ...oneAtATime, ...minutes(5) },
  // On processes instead of containers. Half of their time they wait for a clock, a process or a push, so there are more
  // workers than processors; the longest file is a sixth of all, and begins among the first.
  policy: {
    ...files('policy', 'test/policy/**/*.test.ts'),
    maxWorkers: 5,
    ...keepsModules,
    ...minutes(5),
  },
  'policy-long': {
    ...files('policy-long', ...withLongTests('test/policy')),
    env: long,
    maxWorkers: 3,
    ...keepsModules,
    ...minutes(10),
  },
  // Two servers side by side wait for Docker as long as one does alone.
  flow: {
    ...files('flow', 'test/flow/**/*.test.ts'),
    maxWorkers: 2,
    ...keepsModules,
    ...minutes(10),
  },
  'flow-long': { ...files('flow-long', ...withLongTests('test/flow')), env: long, maxWorkers: 2, ...minutes(5) },
  // Each fault a few times.
  'faults-short': { include: ['test/faults/**/*.test.ts'], maxWorkers: 2, ...minutes(5) },
  e2e: { ...files('e2e', 'test/e2e/**/*.test.ts'), maxWorkers: 2, ...minutes(3) },
  // The same tests as in `faults-short`, in their long form (test/crash/size.ts).
  faults: { include: ['test/faults/**/*.test.ts'], env: { FAULTS: 'long' }, ...oneAtATime, ...minutes(30) },
  // The same contract on Podman, which is not on every machine.
  podman: { ...files('podman'), ...oneAtATime, ...minutes(2) },
  // Engines that are reached by TLS, by ssh and by docker contexts, that share nothing but that, or that have several
  // runtimes: engines and an sshd of our own.
  remote: { ...files('remote'), ...oneAtATime, ...minutes(2) },
  // The tracker's driver against a real bd (scripts/bd.mjs).
  bd: { include: ['test/bd/**/*.test.ts'], ...oneAtATime, ...minutes(5) },
  // The client of a forge against a real Gitea (scripts/gitea.mjs).
  forge: { include: ['test/forge/**/*.test.ts'], ...oneAtATime, ...minutes(5) },
  // The Helm chart, by a real helm (scripts/helm.mjs).
  chart: { include: ['test/chart/**/*.test.ts'], ...oneAtATime, ...minutes(2) },
  // Databases of Debian beside agents and tests, in containers.
  services: { include: ['test/services/**/*.test.ts'], ...oneAtATime, ...minutes(15) },
  // Released projects, each with the toolchain that its files ask for.
  repositories: { include: ['test/repositories/**/*.test.ts'], ...oneAtATime, ...minutes(30) },
  // The files with images that a release has: half of their programs run by emulation.
  images: { include: ['test/release/**/*.test.ts'], ...oneAtATime, ...minutes(10) },
  // Sandboxes as pods of a real cluster of two nodes.
  kubernetes: {
    include: ['test/kubernetes/**/*.test.ts'],
    globalSetup: ['test/kubernetes/setup.ts'],
    setupFiles: ['test/kubernetes/nothing-left.ts'],
    ...oneAtATime,
    ...minutes(5),
  },
  // Text that is slow to read, looked for in processes of their own; requests that no client sends.
  fuzz: { ...files('fuzz'), ...oneAtATime, ...minutes(10) },
  dashboard: { ...files('dashboard', ...withLongTests('test/e2e')), env: long, ...oneAtATime, ...minutes(5) },
}

const projects: TestProjectConfiguration[] = Object.entries(suites).map(([name, suite], groupOrder) => ({
  test: { name, exclude, ...suite, sequence: { groupOrder } },
}))

export default defineConfig({ test: { projects, sequence: { sequencer: LongestFirst } } })
