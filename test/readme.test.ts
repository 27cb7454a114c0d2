import { expect, test } from 'vitest'
import { read } from './docs/pages.ts'

/*
 * Each promise of README.md is kept by a test that `npm test` runs. A promise is found by some of its words; a change
 * of them, or of a test's title, is a reason to look whether the one still says what the other shows.
 */

const ISOLATION = 'test/flow/isolation.test.ts'
const AGENT = 'test/flow/agents.test.ts'
const ENDS = 'test/policy/ends.test.ts'
const PHASES = 'test/policy/phases-restart.test.ts'

const kept: readonly (readonly [promise: string, file: string, test: string])[] = [
  // Its first paragraphs
  ['in its own locked-down Docker container', ISOLATION, 'a sandbox runs as an ordinary user without capabilities'],
  ['in a fresh container and runs the project', ENDS, 'is COMPLETED, merged into the work branch, published'],
  ['watch everything live in a browser', 'test/e2e/graph.test.ts', 'sees a state change in its place'],
  ['create beads on the dashboard', 'test/e2e/new-bead.test.ts', 'gives it a type, labels and dependencies'],
  // The demo
  ['Beadloom [finds]', 'test/flow/setup-scripts.test.ts', 'that answers is used, wherever DOCKER_HOST points'],
  ['Several agents plan a feature', PHASES, "an architect's plan waits for a person; its subtasks work side by side"],
  ['waits for both', 'packages/core/src/testing/make-schedule.test.ts', 'names up to three beads that it waits for'],
  ['passes on its second attempt', ENDS, 'after a failed verification is COMPLETED by a fresh session'],
  ['done by a shell script', ENDS, 'is COMPLETED, merged into the work branch, published'],
  ['ends BLOCKED with a question', ENDS, "comes from the agent's own line, with its words"],
  ['Run that one again with', 'test/e2e/answer.test.ts', 'answers in the inbox by keys'],
  ['reattaches to them', 'test/flow/adoption.test.ts', 'a running agent is adopted: same container, same start'],
  // A repository of one's own
  ['one line per bead', 'test/e2e/first-visit.test.ts', 'a repository given there becomes a project'],
  ['uses `bd` 1.x', 'apps/server/src/beads/bd/bd-json.test.ts', 'only bd 1.x writes'],
  [
    'Every key is optional',
    'packages/core/src/project/project-config.test.ts',
    'are the detected ones, and the defaults',
  ],
  ['usually detected', 'packages/core/src/project/project-config.test.ts', 'are the detected ones by default'],
  ['In a project without tests', 'test/policy/no-tests.test.ts', 'an agent is told to make a test suite'],
  ['run once without an agent', 'test/policy/base.test.ts', 'is reported, and does not count against an agent'],
  ['do not count against an agent', 'test/policy/base.test.ts', 'is reported, and does not count against an agent'],
  ['is the built-in agent', 'test/policy/fresh-starts.test.ts', 'the loop asks a sub-agent, and mends a build error'],
  ['run those agents unchanged', AGENT, 'reads, edits, tests, commits and pushes by its own tools'],
  ['Containers never see one', AGENT, 'finds no key and reaches nobody'],
  ['adds the key and counts', AGENT, 'continues where it was when its server is killed'],
  ['"maxTokens"', AGENT, 'makes the same call again and again until its token limit ends it'],
  ['npx beadloom run lib-1 --wait', 'test/policy/cli.test.ts', 'adds a project, sees its beads, runs one'],
  ['npx beadloom tell', 'test/policy/messages.test.ts', 'an agent is told in the middle of a command'],
  ['can be [paused]', 'test/policy/pause.test.ts', 'a paused execution waits at its next call'],
  [
    'every ready bead starts by itself',
    'packages/core/src/dispatch/autopilot.test.ts',
    'queues ready beads by priority',
  ],
  [
    'three at a time',
    'packages/core/src/testing/make-schedule.test.ts',
    'wait with the reason that all slots are in use',
  ],
  ['up to three attempts', 'packages/core/src/execution/next-step.test.ts', 'ends after the last attempt'],
  ['says why and what to do', 'test/parts/executions.test.ts', 'a failure ends with its reason and advice'],
  [
    'a new bead](',
    'apps/server/src/store/beads/follow-ups.test.ts',
    'a follow-up is a bead of its own that leads back',
  ],
  ['Each bead has a branch', ENDS, 'is COMPLETED, merged into the work branch, published'],
  ['Your own branches are never changed', ISOLATION, 'a sandbox can push its own branch forward and nothing else'],
  [
    'publishing would fail',
    'apps/server/src/hub/remote/left-alone.test.ts',
    'a branch that is checked out in the person',
  ],
  ['fresh agent can review the work', AGENT, 'reviews the work in a session of its own'],
  ['opens a pull request', 'test/parts/pull-request-opened.test.ts', 'a pull request is opened after the review'],
  // Several machines
  [
    'a Docker elsewhere',
    'apps/server/src/container/connection/ssh-error.test.ts',
    'ssh is called as the docker command',
  ],
  ['each sandbox is a pod', 'apps/server/src/container/kubernetes/pod-manifest.test.ts', 'restricted pod security'],
  [
    'only its own projects stop',
    'test/policy/engines.test.ts',
    'a project on an engine that is away waits and says so',
  ],
  // Security
  ['as an ordinary user', ISOLATION, 'a sandbox runs as an ordinary user without capabilities'],
  ['unless the project asks for one', 'test/policy/egress.test.ts', 'reaches them from agents, checks and setup'],
  ['limits on CPU, memory and processes', 'test/contract/build-limits.test.ts', 'has its project’s limits'],
  ['The container has no key', ISOLATION, 'a sandbox finds no secret of the server'],
  ["only this project's git repository", ISOLATION, 'a sandbox reaches neither the network, nor Docker'],
  ['push one branch and delete nothing', ISOLATION, 'a sandbox can push its own branch forward and nothing else'],
  ['Nothing from a repository runs', 'apps/server/src/hub/nothing-runs.test.ts', 'hooks of the repository do not run'],
  ['listens on loopback only', 'test/policy/start.test.ts', 'the server is up, says that nothing runs'],
  ['every request needs the token', 'test/e2e/first-visit.test.ts', 'without the link a page says what to do'],
  // Further reading
  ['an architect plans, you approve', PHASES, "an architect's plan waits for a person; its subtasks work side by side"],
]

const readme = read('README.md')
const npmTest = /^(?:apps|packages|test\/(?:parts|contract|policy|flow|e2e))\//

test.each(kept)('"%s" is kept by %s: %s', (promise, file, title) => {
  expect(readme.includes(promise), 'README.md says it in other words now, or no more').toBe(true)
  expect(file).toMatch(npmTest)
  const text = read(file)
  expect(text.startsWith('// @suite'), 'only another suite runs this file').toBe(false)
  const at = text.indexOf(title)
  expect(at).toBeGreaterThan(0)
  // A long test is not run by `npm test` (`packages/core/src/testing/long-test.ts`).
  expect(text.slice(0, at)).toMatch(/\btest(?:\.\w+)*\(\s*['"`]$/)
})
