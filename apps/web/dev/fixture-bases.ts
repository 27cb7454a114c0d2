import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { bead, now, project, type FixtureProject } from './fixture-data.ts'

/* Projects that are new here, by what is known of the commit that their beads start from. */

const MINUTE = 60_000
type Base = NonNullable<ProjectView['base']>

const base = (own: Partial<Base>): Base => ({
  state: 'broken',
  commit: '8d1f0c2b7a6e5d4c3b2a190817161514131211100',
  text: '',
  by: null,
  againAt: null,
  mendable: false,
  bead: null,
  startedAt: now - 9 * MINUTE,
  endedAt: now - 4 * MINUTE,
  ...own,
})

const beadsOf = (id: string, prefix: string, text: string, code: 'base_broken' | 'base_proving' | 'manual') => {
  const reason = { code, text } as const
  return [
    bead(id, { id: `${prefix}-a01`, title: 'Read the configuration from the environment', ready: true, reason }),
    bead(id, { id: `${prefix}-a02`, title: 'Answer a request that is too large with 413', ready: true, reason }),
  ]
}

function newProject(id: string, prefix: string, own: Partial<Base>): FixtureProject {
  const known = base(own)
  const broken = known.state === 'broken'
  const code = broken ? 'base_broken' : known.state === 'proving' ? 'base_proving' : 'manual'
  const view: Partial<ProjectView> = {
    base: known,
    autopilot: false,
    problem: broken ? known.text : null,
    problemKind: broken ? 'base' : null,
    warnings: known.state === 'red' ? [known.text] : [],
  }
  return project(id, view, beadsOf(id, prefix, code === 'manual' ? 'ready to run' : known.text, code), [])
}

const brake = {
  code: 'autopilot_paused',
  text: 'autopilot paused itself: the last 3 beads ended alike (model unreachable). Look into one of them, then resume the project. Autopilot also resumes when a bead that you run completes',
  beads: ['br-a03', 'br-a02', 'br-a01'],
} as const
const braked = newProject('braked', 'br', { state: 'green' })

/** A setup that fails, checks that all fail, a linter that was red before anybody came, a proof under way; autopilot that paused. */
export const bases = (): FixtureProject[] => [
  newProject('no-setup', 'ns', {
    by: 'setup',
    text: 'Setup (npm ci) failed with exit code 1. Correct "setup" in beadloom.json, or what it installs.',
    againAt: now + 17 * MINUTE,
  }),
  newProject('all-red', 'ar', {
    by: 'checks',
    text: 'All 2 checks fail before any work is done: test (npm test): 14 tests failed; lint (npm run lint): 3 lint errors in 2 files. Fix the base. If beads are there to make the checks pass, set "verification.proveBase" to false in beadloom.json.',
    mendable: true,
  }),
  newProject('red-lint', 'rl', {
    state: 'red',
    text: '1 of 3 checks fails on beadloom/work too: lint (npm run lint): 3 lint errors in 2 files. It does not count against an agent.',
    mendable: true,
    bead: 'rl-a02',
  }),
  newProject('red-by-name', 'rn', {
    state: 'red',
    text: '1 of 3 checks fails on beadloom/work too: test (uv run pytest --continue-on-collection-errors): 2 tests failed, 1 file could not be collected: tests/test_locale.py::test_collation, tests/test_locale.py::test_currency. It does not count against an agent. The tests of tests/test_b64.py could not run: work on what they cover is not checked.',
    mendable: true,
  }),
  newProject('no-test-passes', 'nt', {
    by: 'checks',
    text: 'No test passes before any work is done: build (npm run build): 2 type errors in 1 file; test (npm test): no test ran, after build failed: Error: Cannot find module ./dist/index.js. Fix the base. If beads are there to make the checks pass, set "verification.proveBase" to false in beadloom.json.',
    mendable: true,
  }),
  { ...braked, view: { ...braked.view, autopilot: true, brake: { ...brake, beads: [...brake.beads] } } },
  newProject('first-day', 'fd', { state: 'proving', text: 'running setup', endedAt: null }),
]
