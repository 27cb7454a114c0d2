import type { OnOutput } from './run-command.ts'

const HIDDEN = '***'
const LEAST_BEGINNING = 4

/** `end`: writes what was held back. */
export type Redacted = { take: OnOutput; end: () => Promise<void> }

/**
 * Output without these values, even if one arrives in pieces: the end of a piece that may begin a value waits for the
 * next piece. The forms used in addresses and headers are hidden too. Any other encoding of a value is not recognised.
 */
export function redactedOutput(output: OnOutput, values: readonly string[]): Redacted {
  const hidden = [...new Set(values.flatMap(formsOf))].filter((form) => form !== '').sort((a, b) => b.length - a.length)
  if (hidden.length === 0) return { take: output, end: async () => {} }
  const held = { stdout: '', stderr: '' }
  return {
    take: async (stream, text) => {
      const clean = without(held[stream] + text, hidden)
      const keep = heldBack(clean, hidden)
      held[stream] = clean.slice(clean.length - keep)
      if (keep < clean.length) await output(stream, clean.slice(0, clean.length - keep))
    },
    end: async () => {
      for (const stream of ['stdout', 'stderr'] as const) {
        const rest = held[stream]
        held[stream] = ''
        // It may be the beginning of a cut-off value, so not much of it is shown.
        if (rest !== '') await output(stream, rest.length < LEAST_BEGINNING ? rest : HIDDEN)
      }
    },
  }
}

const formsOf = (value: string): string[] => [
  value,
  encodeURIComponent(value),
  JSON.stringify(value).slice(1, -1),
  Buffer.from(value).toString('base64').replace(/=+$/, ''),
]

const without = (text: string, hidden: readonly string[]): string =>
  hidden.reduce((left, value) => left.replaceAll(value, HIDDEN), text)

/** The number of characters at the end that may begin a value. */
function heldBack(text: string, hidden: readonly string[]): number {
  let most = 0
  for (const value of hidden)
    for (let length = Math.min(value.length - 1, text.length); length > most; length--)
      if (value.startsWith(text.slice(text.length - length))) most = length
  return most
}
