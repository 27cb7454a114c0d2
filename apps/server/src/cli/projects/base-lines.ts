import type { ProofView } from '@beadloom/core/api/projects/environment-api.ts'
import { stepWords } from '@beadloom/core/records/verification.ts'
import { clockTime } from '@beadloom/core/text/clock-time.ts'
import { hanging } from '../terminal/hanging.ts'
import { oneLiner, plainText } from '../terminal/terminal-text.ts'

/** The most digest lines for each failed check. */
const DIGEST_LINES = 12

/** Whether the base of a project's beads is fit to work on, for people. The texts are the repository's. */
export const baseLines = (proof: ProofView | null, now: number, columns: number): string[] => [
  '',
  ...linesOf(proof, now).flatMap((line) => hanging(line, columns)),
]

function linesOf(proof: ProofView | null, now: number): string[] {
  if (proof === null)
    return ['The base has not been proved yet. Beadloom does it before the first bead starts; --prove does it now.']
  const { state, text, commit, checks, againAt, mendable, bead } = proof
  const at = commit.slice(0, 12)
  if (state === 'proving') return [`The base (${at}) is being proved: ${text.replace(/[.\s]+$/, '')}.`]
  if (state === 'green')
    return [
      checks.length === 0
        ? `The base (${at}) is ready for beads; it has no checks to prove.`
        : `The base (${at}) is green.`,
      ...(text === '' ? [] : [oneLiner(text)]),
    ]
  const failing = checks.filter(({ passed }) => !passed)
  return [
    oneLiner(state === 'red' ? text : `Nothing starts. ${text}`),
    ...failing.flatMap((check) => [`${oneLiner(stepWords(check))}:`, ...partOf(check.digest, isRaw(proof))]),
    ...(againAt === null ? [] : [`Next try at ${clockTime(againAt, now)}.`]),
    ...(bead === null
      ? mendable
        ? ['--mend creates a bead that fixes it.']
        : []
      : [`${bead} was created to fix it.`]),
  ]
}

/** Whether the text is the raw output of an image, setup or service; its end says why it failed. */
const isRaw = ({ by }: ProofView): boolean => by === 'image' || by === 'setup' || by === 'service'

/** The end of a raw text, else the beginning. */
function partOf(text: string, raw: boolean): string[] {
  const lines = plainText(text).split('\n')
  const more = lines.length - DIGEST_LINES
  const cut = (words: string): string[] => (more > 0 ? [`… ${words} (--json shows all)`] : [])
  const shown = raw
    ? [...cut(`${more} lines before`), ...lines.slice(-DIGEST_LINES)]
    : [...lines.slice(0, DIGEST_LINES), ...cut(`and ${more} more lines`)]
  return shown.map((line) => `  ${oneLiner(line)}`)
}
