import type { CommandClaim, Family, Found, ServiceClaim, ToolClaim } from './found.ts'

/*
 * What runs where `beadloom.json` says nothing. `setup` runs once for each state of `lockFiles`, with the network on.
 * Tests run without it, so nothing here may fetch while testing.
 */

/** What the repository's files say where `beadloom.json` does not. */
export type Detected = {
  setup: string | null
  test: string | null
  /** Checks other than the tests ("build", "lint"), in the order in which they run. */
  checks: { type: 'build' | 'lint'; command: string }[]
  techStack: string[]
  /** What the image needs. Hints are proposed: they may be about one of many things that a CI does. */
  tools: ToolClaim[]
  /** Those that a devcontainer is made with. What a CI or another compose file has is proposed. */
  services: ServiceClaim[]
}

/** Shown in the prompt where nothing is known: an empty list would look like a mistake. */
const UNKNOWN_STACK = 'not detected'

/** Whose commands run unasked. Those of other families are proposed: nobody has tried them without a network yet. */
const RUN_UNASKED: ReadonlySet<Family> = new Set<Family>(['node', 'python', 'go', 'rust', 'maven', 'make'])

export function detected({
  commands,
  techStack,
  tools,
  services,
}: Pick<Found, 'commands' | 'techStack' | 'tools' | 'services'>): Detected {
  const own = commands.filter(runsUnasked)
  const setups = own.filter(({ purpose }) => purpose === 'setup').map(({ command }) => command)
  return {
    setup: setups.length === 0 ? null : setups.join(' && '),
    test: own.find(({ purpose }) => purpose === 'test')?.command ?? null,
    // Scripts of a package are made to be checks; a target of a Makefile may just as well build a release.
    checks: own
      .filter(({ family }) => family === 'node')
      .flatMap(({ purpose, command }) =>
        purpose === 'build' || purpose === 'lint' ? [{ type: purpose, command }] : [],
      ),
    techStack: techStack.length === 0 ? [UNKNOWN_STACK] : [...techStack],
    tools: tools.filter(({ confidence }) => confidence !== 'hint'),
    services: services.filter(({ confidence }) => confidence === 'said'),
  }
}

const runsUnasked = ({ folder, family, confidence }: CommandClaim): boolean =>
  folder === '' && confidence !== 'hint' && RUN_UNASKED.has(family)
