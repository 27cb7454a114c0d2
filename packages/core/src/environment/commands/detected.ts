import { devcontainerPlan, type DevcontainerPlan } from '../devcontainer/devcontainer-plan.ts'
import type { Absent, Found, ServiceClaim, ToolClaim } from '../found.ts'
import { apart, checksOf, nestedProjects, untestedFolders, type NestedProject } from './nested-projects.ts'
import { rootTests } from './root-tests.ts'
import { usedUnasked } from './run-unasked.ts'
import { rootSetups, setupLine } from './setup-line.ts'
import { settleTools } from '../versions/settle-tools.ts'

/*
 * The commands that run if `beadloom.json` names none. `setup` runs once for each state of `lockFiles`, with the
 * network on. Tests run without it, so nothing here may fetch while testing.
 */

/** Settings from the repository's files, for what `beadloom.json` leaves out. */
export type Detected = {
  setup: string | null
  test: string | null
  /** The tests of the root, one for each of its languages. */
  tests: { label: string; command: string }[]
  /** Projects in folders that the root's tests leave out. The setup and tests above include theirs. */
  nested: readonly NestedProject[]
  /** Checks other than the tests ("build", "lint"), in the order in which they run. */
  checks: { type: 'build' | 'lint'; command: string }[]
  techStack: string[]
  /** The tools that the image needs. Hints are only proposed: a CI does many things. */
  tools: ToolClaim[]
  /** The services of a devcontainer. Services of a CI or another compose file are only proposed. */
  services: ServiceClaim[]
  /** Parts of the repository that a commit only points to. */
  absent: readonly Absent[]
  /** A file of tests, if no known command runs any; null: there are no tests, or there is a command. */
  untested: string | null
  /** Folders with tests that no command runs, because there are too many of them, or they are too deep. Absent: there are none. */
  left?: string[]
  /** Counts unless `beadloom.json` names another image; its commands come before `setup`. */
  devcontainer: DevcontainerPlan | null
}

/** The next command begins in the root folder, too. */
const GOES = /^cd .* && /

/** Shown in the prompt if nothing was found: an empty list would look like a mistake. */
const UNKNOWN_STACK = 'not detected'

export function detected(
  found: Pick<
    Found,
    'commands' | 'techStack' | 'tools' | 'devcontainer' | 'nested' | 'testFiles' | 'absent' | 'services' | 'unread'
  >,
): Detected {
  const { commands, techStack, devcontainer } = found
  const own = usedUnasked(commands).filter(({ folder }) => folder === '')
  const nested = nestedProjects(found).projects
  const left = untestedFolders(found)
  const ofRoot = rootTests(found)
  const setups = rootSetups(own, ofRoot)
  const tests = ofRoot.map(({ label, claim: { command } }) => ({ label, command }))
  const below = nested.flatMap(({ folder, tests: its }) => its.flatMap(({ command }) => apart(folder, [command])))
  const all = [...tests.map(({ command }) => (GOES.test(command) ? `( ${command} )` : command)), ...below]
  const stack = [
    ...techStack,
    ...found.nested.filter(({ folder }) => nested.some((one) => one.folder === folder)).flatMap((one) => one.techStack),
  ]
  return {
    setup: setupLine(setups, nested),
    test: all.length === 0 ? null : all.join(' && '),
    tests,
    checks: checksOf(own),
    nested,
    techStack: stack.length === 0 ? [UNKNOWN_STACK] : [...new Set(stack)],
    tools: toolsOf(found.tools, nested),
    absent: found.absent,
    untested: all.length === 0 ? (found.testFiles[0]?.file ?? null) : null,
    ...(left.length > 0 && { left }),
    services: found.services.filter(({ confidence }) => confidence === 'said'),
    devcontainer: devcontainerPlan({ devcontainer, commands }),
  }
}

/** The root's tools come first: one image is for all of them. */
function toolsOf(root: readonly ToolClaim[], nested: readonly NestedProject[]): ToolClaim[] {
  const sure = (claims: readonly ToolClaim[]) =>
    claims.flatMap((claim): ToolClaim[] => {
      if (claim.confidence !== 'hint') return [claim]
      const { tool, any } = claim
      return any === undefined ? [] : [{ tool, version: null, least: false, from: any, confidence: 'usual' }]
    })
  return nested.length === 0
    ? sure(root)
    : settleTools([...sure(root), ...nested.flatMap(({ tools }) => sure(tools))]).tools
}
