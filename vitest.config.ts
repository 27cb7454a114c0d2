import { configDefaults, defineConfig } from 'vitest/config'

const exclude = [...configDefaults.exclude, 'test/samples/**']

/** A million lines, twenty restarts, a thin line, thousands of changes, every state of every screen: a suite of their own. */
const longInTheBrowser = ['stories', 'keyboard', 'board', 'log-million', 'log-restarts', 'log-slow', 'log-live'].map(
  (name) => `test/e2e/${name}.test.ts`,
)

/** What wants a real Docker beside the sources: the adapter's own tests. */
const onDocker = ['docker-engine', 'docker-exit', 'output/docker-output', 'images/images'].map(
  (name) => `apps/server/src/container/${name}.test.ts`,
)

/*
 * Three kinds of tests, two of them at length, one that wants a real bd and one a real Gitea. `groupOrder` keeps
 * them apart: what runs real containers and browsers waits until the unit tests have left the processor, and runs one or
 * two files at a time, because every file wants the whole machine.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/**/*.test.{ts,tsx}',
            'apps/**/*.test.{ts,tsx}',
            'test/architecture.test.ts',
            'test/parts/**/*.test.ts',
            'test/docs.test.ts',
          ],
          exclude: [...exclude, ...onDocker],
          // A new process and all imports for each of 300 files would cost more than the tests do.
          isolate: false,
          // As many as there are processors; the usual one less leaves a small machine with one.
          maxWorkers: 2,
          // Not a bound on the code: room for a loaded machine, where git and Docker start slowly.
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'flow',
          include: ['test/flow/**/*.test.ts', 'test/faults/**/*.test.ts'],
          exclude,
          // Two servers side by side wait for Docker as long as one does alone.
          maxWorkers: 2,
          testTimeout: 300_000,
          hookTimeout: 600_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts', ...onDocker],
          exclude,
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 600_000,
          expect: { poll: { timeout: 60_000 } },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          // On processes instead of containers, so that nothing is waited for but them.
          name: 'policy',
          include: ['test/policy/**/*.test.ts'],
          exclude,
          maxWorkers: 3,
          testTimeout: 300_000,
          hookTimeout: 600_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          // The same tests as in `flow`, in their long form (test/crash/size.ts).
          name: 'faults',
          env: { FAULTS: 'long' },
          include: ['test/faults/**/*.test.ts'],
          exclude,
          fileParallelism: false,
          testTimeout: 1_800_000,
          hookTimeout: 600_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          // The tracker's driver against a real bd (scripts/bd.mjs).
          name: 'bd',
          include: ['test/bd/**/*.test.ts'],
          exclude,
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 600_000,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          // The client of a forge against a real Gitea (scripts/gitea.mjs).
          name: 'forge',
          include: ['test/forge/**/*.test.ts'],
          exclude,
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 600_000,
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: [...exclude, ...longInTheBrowser],
          maxWorkers: 2,
          testTimeout: 180_000,
          hookTimeout: 600_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'dashboard',
          include: longInTheBrowser,
          exclude,
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 600_000,
          sequence: { groupOrder: 6 },
        },
      },
    ],
  },
})
