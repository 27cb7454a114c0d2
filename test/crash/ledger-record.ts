import { execFileSync } from 'node:child_process'
import { SPLIT_MARK } from '@beadloom/server/src/recorder/files/line-buffer.ts'

export type Streams = { out: Buffer; err: Buffer }

const MOST_BYTES = 1024 ** 3

/** An agent's output, as it committed it; null if there is no ledger of this bead. */
export function ledgerOf(repository: string, commit: string, bead: string): (Streams & { starts: number }) | null {
  const names = execFileSync('git', ['ls-tree', '--name-only', commit], { cwd: repository, encoding: 'utf8' })
  if (!names.split('\n').includes(`ledger-${bead}`)) return null
  const file = (name: string) =>
    execFileSync('git', ['show', `${commit}:ledger-${bead}/${name}`], { cwd: repository, maxBuffer: MOST_BYTES })
  const starts =
    file('starts')
      .toString()
      .match(/^START /gm)?.length ?? 0
  return { out: file('out'), err: asText(file('err')), starts }
}

/** A log is valid UTF-8: it has U+FFFD for broken bytes, as in every decoder. */
const asText = (bytes: Buffer): Buffer => Buffer.from(bytes.toString('utf8'))

const SAID = Buffer.from('› ')
const BEGIN = Buffer.from('§ agent\n')
const END = Buffer.from('§ agent: ')

/**
 * The output of the agent section's command, by stream, as in the log (docs/log-format.md): the agent's own words with
 * their mark, everything else unchanged. Any other line of Beadloom in there would count as output, and be found.
 */
export function agentOutput(log: Buffer): Streams {
  const begin = log.indexOf(BEGIN) + BEGIN.length
  const end = log.lastIndexOf(END)
  const section = log.subarray(log.indexOf(10, begin) + 1, end < 0 ? log.length : end) // after the command's own line
  const out: Buffer[] = []
  const err: Buffer[] = []
  for (let from = 0; from < section.length;) {
    const newline = section.indexOf(10, from)
    const to = newline < 0 ? section.length : newline + 1
    const line = section.subarray(from, to)
    if (line.subarray(0, SAID.length).equals(SAID)) out.push(line.subarray(SAID.length))
    else if (line.subarray(-SPLIT_MARK.length).equals(SPLIT_MARK)) err.push(line.subarray(0, -SPLIT_MARK.length))
    else err.push(line)
    from = to
  }
  return { out: Buffer.concat(out), err: Buffer.concat(err) }
}
