import type { Files } from './repository.ts'
import { shellProject } from './shell-project.ts'
import type { World } from './world.ts'

/* Projects with real tests in a real runner, and the work of their beads as commands. */

const beads = [
  { id: 'tr-1', title: 'Write one' },
  { id: 'tr-2', title: 'Write two' },
  { id: 'tr-3', title: 'Write three' },
]

/** The first bead, `tr-1`, does `first`, every other `other`. */
export const agentOf = (first: string, other = ':'): string =>
  `cat > /tmp/prompt.$$; if grep -q tr-1 /tmp/prompt.$$; then ${first}; else ${other}; fi; rm /tmp/prompt.$$\n`

/** Adds a project with three beads. */
export const adding =
  (world: () => World) =>
  (id: string, agent: string, config: object, files: Files): ReturnType<World['addProject']> =>
    world().addProject(id, { ...shellProject({ agent, config, testsFirst: false }), ...files }, beads)

export const nodeProject: Files = {
  'math.mjs': 'export const add = (a, b) => a + b\nexport const double = (a) => 2 * a\n',
  'add.test.mjs':
    "import test from 'node:test'\nimport assert from 'node:assert'\nimport { add } from './math.mjs'\ntest('adds', () => assert.equal(add(1, 2), 3))\n",
  'double.test.mjs':
    "import test from 'node:test'\nimport assert from 'node:assert'\nimport { double } from './math.mjs'\ntest('doubles', () => assert.equal(double(2), 4))\n",
}
export const nodeTest = { test: 'node --test' }
export const once = { verification: { maxAttempts: 1 } }

/** A test that fails on the base until a bead fixes it. */
export const oneFails: Files = {
  ...nodeProject,
  'math.mjs': 'export const add = (a, b) => a - b\nexport const double = (a) => 2 * a\n',
}
