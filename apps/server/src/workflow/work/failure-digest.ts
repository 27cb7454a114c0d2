import { capDigest } from '@beadloom/core/digest/cap.ts'
import { failedAttempts, failuresOf } from '@beadloom/core/execution/next-step.ts'
import { namedDigest, type Verification } from '@beadloom/core/records/verification.ts'

/**
 * The failures of the attempts so far, the newest first: the oldest errors must not crowd out the important ones.
 * Attempts that failed with the same words are told once.
 */
export function digestOfFailures(verifications: readonly Verification[]): string {
  const told: { text: string; attempts: number[] }[] = []
  for (const attempt of failedAttempts(verifications)) {
    const text = blockOf(verifications, attempt)
    const last = told.at(-1)
    if (last?.text === text) last.attempts.push(attempt)
    else told.push({ text, attempts: [attempt] })
  }
  const [newest, ...older] = told
  if (!newest) return ''
  const before = older.map(({ attempts, text }) => `Attempt${listed(attempts)} had failed with:\n${text}`)
  return capDigest([`${newest.text}${repeated(verifications, newest.attempts)}`, ...before].join('\n\n'))
}

const listed = (attempts: readonly number[]): string => `${attempts.length > 1 ? 's' : ''} ${attempts.join(' and ')}`

/** The same failures may have different words: then the tool that read them says so. */
function repeated(verifications: readonly Verification[], [newest, ...same]: readonly number[]): string {
  if (same.length > 0) {
    return `\n(attempt${listed(same)} failed in the same way: another approach is needed)`
  }
  return failuresOf(verifications, newest!).some(({ verdict }) => verdict === 'same')
    ? '\n(the same failures as in the attempt before: another approach is needed)'
    : ''
}

const blockOf = (verifications: readonly Verification[], attempt: number): string =>
  failuresOf(verifications, attempt)
    .map((row) => {
      const where = row.purpose === 'merge' ? 'Together with what the work branch got meanwhile:\n' : ''
      return `${where}${namedDigest(row)}`
    })
    .join('\n\n')
