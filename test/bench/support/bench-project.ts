import type { Files } from '../../support/repository.ts'
import { shellProject } from '../../support/shell-project.ts'

export const PROJECT = 'bench'

/**
 * A project whose agents only print; each bead has its own command line. They commit nothing, so an execution ends
 * right after its one session, and the next round finds an idle machine.
 */
export const benchProject = (commands: Record<string, string>): Files =>
  shellProject({
    agent: 'exit 1\n',
    config: {
      autopilot: false,
      verification: { maxAttempts: 1 },
      beads: Object.fromEntries(Object.entries(commands).map(([bead, command]) => [bead, { command }])),
    },
  })
