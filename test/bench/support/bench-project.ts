import type { Files } from '../../support/repository.ts'
import { shellProject } from '../../support/shell-project.ts'

export const PROJECT = 'bench'

/** Numbers of files in a workspace, beside the few of every project. */
export type Sizes = { tracked: number; made: number }
/** The average file of source code, and of a package. */
const TRACKED_BYTES = 6_000
const MADE_BYTES = 10_000
const A_FOLDER = 20

/**
 * A project whose agents only print; each bead has its own command line. They commit nothing, so an execution ends
 * right after its one session, and the next round finds an idle machine.
 */
export const benchProject = (
  commands: Record<string, string>,
  { tracked, made }: Sizes = { tracked: 0, made: 0 },
): Files => ({
  ...sources(tracked),
  ...shellProject({
    agent: 'exit 1\n',
    config: {
      autopilot: false,
      verification: { maxAttempts: 1 },
      ...(made > 0 && { setup: packages(made) }),
      beads: Object.fromEntries(Object.entries(commands).map(([bead, command]) => [bead, { command }])),
    },
  }),
})

const sources = (many: number): Files =>
  Object.fromEntries(
    Array.from({ length: many }, (_, at) => [
      `src/${Math.floor(at / A_FOLDER)}/${at}.ts`,
      '// line\n'.repeat(TRACKED_BYTES / 8),
    ]),
  )

/** Makes folders of packages, each with as many files as a package has. */
const packages = (many: number): string => {
  const folders = Math.ceil(many / A_FOLDER)
  const one = `yes | head -c ${A_FOLDER * MADE_BYTES} | split -b ${MADE_BYTES} - node_modules/$p/f`
  return `for p in $(seq ${folders}); do mkdir -p node_modules/$p; ${one}; done`
}
