import { devcontainerPlan, type DevcontainerPlan } from './devcontainer/devcontainer-plan.ts'
import type { Absent, Found, ServiceClaim, ToolClaim } from './found.ts'
import { apart, checksOf, nestedProjects, type NestedProject } from './nested-projects.ts'
import { rootTests } from './root-tests.ts'
import { usedUnasked } from './run-unasked.ts'
import { rootSetups, setupLine } from './setup-line.ts'
import { settleTools } from './settle-tools.ts'

/*
 * What runs where `beadloom.json` says nothing. `setup` runs once for each state of `lockFiles`, with the network on.
 * Tests run without it, so nothing here may fetch while testing.
 */

/** What the repository's files say where `beadloom.json` does not. */
export type Detected = {
  setup: string | null
  test: string | null
  /** Those of the root, one for each of its languages. */
  tests: { label: string; command: string }[]
  /** Projects in folders that the root's tests leave out. Their setup and their tests are part of those above. */
  nested: readonly NestedProject[]
  /** Checks other than the tests ("build", "lint"), in the order in which they run. */
  checks: { type: 'build' | 'lint'; command: string }[]
  techStack: string[]
  /** What the image needs. Hints are proposed: they may be about one of many things that a CI does. */
  tools: ToolClaim[]
  /** Those that a devcontainer is made with. What a CI or another compose file has is proposed. */
  services: ServiceClaim[]
  /** What a commit only points to. */
  absent: readonly Absent[]
  /** A file of tests, where nothing is known that runs any; null: there is none, or a command. */
  untested: string | null
  /** Counts unless `beadloom.json` names something else; its commands come before `setup`. */
  devcontainer: DevcontainerPlan | null
}

/** Shown in the prompt where nothing is known: an empty list would look like a mistake. */
const UNKNOWN_STACK = 'not detected'

export function detected(
  found: Pick<
    Found,
    'commands' | 'techStack' | 'tools' | 'devcontainer' | 'nested' | 'testFiles' | 'absent' | 'services'
  >,
): Detected {
  const { commands, techStack, devcontainer } = found
  const own = usedUnasked(commands).filter(({ folder }) => folder === '')
  const nested = nestedProjects(found).projects
  const ofRoot = rootTests(found)
  const setups = rootSetups(own, ofRoot)
  const tests = ofRoot.map(({ label, claim: { command } }) => ({ label, command }))
  const below = nested.flatMap(({ folder, test }) => apart(folder, test === null ? [] : [test]))
  const all = [...tests.map(({ command }) => command), ...below]
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
    services: found.services.filter(({ confidence }) => confidence === 'said'),
    devcontainer: devcontainerPlan({ devcontainer, commands }),
  }
}

/** Of the root first: one image is for all of them. */
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
