import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BeadLine, Files } from '../support/repository.ts'

const program = readFileSync(join(import.meta.dirname, 'ledger-program.mjs'), 'utf8')

/** The Node of Beadloom's own runtime, which every image has. */
export const ledger = (bead: string, mode: string, number: number | '' = ''): string =>
  `/opt/beadloom/bin/node ledger-program.mjs ${bead} ${mode} ${number}`

/** Kills the process that runs the agent, as a crash would. */
export const CRASH = 'kill -9 $PPID; sleep 60'

/** Checks fail as long as this file exists. */
export const BROKEN = 'broken'

/** A project whose agents keep a ledger: each bead has its own command line. */
export function ledgerProject(
  commands: Record<string, string>,
  config: object = {},
): { files: Files; beads: BeadLine[] } {
  return {
    files: {
      'beadloom.json': JSON.stringify({
        techStack: ['Shell'],
        agent: 'command',
        command: 'exit 1',
        test: `[ ! -e ${BROKEN} ]`,
        setup: null,
        autopilot: false,
        verification: { maxAttempts: 1 },
        beads: Object.fromEntries(Object.entries(commands).map(([bead, command]) => [bead, { command }])),
        ...config,
      }),
      'ledger-program.mjs': program,
    },
    beads: Object.keys(commands).map((id) => ({ id, title: `Keep the ledger of ${id}` })),
  }
}
