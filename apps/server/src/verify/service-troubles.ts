import type { Verification } from '@beadloom/core/records/verification.ts'

/** The limit of the services' last lines: a digest has its limits, and health checks print without an end. */
const MOST_TAIL = 600

/**
 * A failure that a service may have caused begins with the service's end: the reader would look for the error in the
 * work. The check's own words come next, and the services' output comes last.
 */
export const withTroubles = <T extends Pick<Verification, 'passed' | 'summary' | 'digest'>>(
  row: T,
  troubles: readonly string[],
): T => {
  if (row.passed || troubles.length === 0) return row
  const sentences = troubles.map((text) => text.split('\n', 1)[0] ?? '')
  const printed = troubles
    .map((text) => text.slice(text.indexOf('\n') + 1))
    .filter((_, at) => troubles[at]?.includes('\n'))
  const tail = printed.map((text) => lastOf(text, Math.floor(MOST_TAIL / printed.length)))
  return {
    ...row,
    summary: `${row.summary} (${sentences[0]})`,
    digest: [sentences.join('\n'), row.digest, ...tail].join('\n\n'),
  }
}

/** Whole lines from the end, or the end of one line. */
function lastOf(text: string, most: number): string {
  if (text.length <= most) return text
  const end = text.slice(-most)
  return `…${end.includes('\n') ? end.slice(end.indexOf('\n')) : end}`
}
