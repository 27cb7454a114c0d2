import type { ProofView } from '@beadloom/core/api/environment-api.ts'
import { stepWords } from '@beadloom/core/execution/verification.ts'
import { clockTime } from '@beadloom/core/text/clock-time.ts'
import { hanging } from '../terminal/hanging.ts'
import { oneLiner, plainText } from '../terminal/terminal-text.ts'

/** Of each check that fails. */
const DIGEST_LINES = 12

/** Whether what a project's beads start from is fit to work on, for people. The texts are the repository's. */
export const baseLines = (proof: ProofView | null, now: number, columns: number): string[] => [
  '',
  ...linesOf(proof, now).flatMap((line) => hanging(line, columns)),
]

function linesOf(proof: ProofView | null, now: number): string[] {
  if (proof === null)
    return ['The base has not been proved yet: that is done before the first bead starts (--prove does it now).']
  const { state, text, commit, checks, againAt, mendable, bead } = proof
  const at = commit.slice(0, 12)
  if (state === 'proving') return [`The base (${at}) is being proved: ${text.replace(/[.\s]+$/, '')}.`]
  if (state === 'green')
    return [
      checks.length === 0
        ? `The base (${at}) can be worked on; it has no checks to prove.`
        : `The base (${at}) is green.`,
      ...(text === '' ? [] : [oneLiner(text)]),
    ]
  const failing = checks.filter(({ passed }) => !passed)
  return [
    oneLiner(state === 'red' ? text : `Nothing starts. ${text}`),
    ...failing.flatMap((check) => [
      `${oneLiner(stepWords(check))}:`,
      ...(isRaw(check.name) ? lastLines(check.digest) : digestLines(check.digest)),
    ]),
    ...(againAt === null ? [] : [`It is tried again at ${clockTime(againAt, now)}.`]),
    ...(bead === null
      ? mendable
        ? ['--mend files a bead that makes it green.']
        : []
      : [`${bead} is there to make it green.`]),
  ]
}

/** A step before the checks printed this as it is, and its end says why it failed. */
const isRaw = (name: string): boolean => /^(?:image|setup|service .*)$/s.test(name)

function lastLines(text: string): string[] {
  const lines = plainText(text).split('\n')
  const more = lines.length - DIGEST_LINES
  return [...(more > 0 ? [`… ${more} lines before (--json shows all)`] : []), ...lines.slice(-DIGEST_LINES)].map(
    (line) => `  ${oneLiner(line)}`,
  )
}

function digestLines(digest: string): string[] {
  const lines = plainText(digest).split('\n')
  const more = lines.length - DIGEST_LINES
  return [...lines.slice(0, DIGEST_LINES), ...(more > 0 ? [`… and ${more} more lines (--json shows all)`] : [])].map(
    (line) => `  ${oneLiner(line)}`,
  )
}
