import type { StepType } from './digest-tool.ts'
import { NO_OUTPUT } from './generic.ts'

const SHOWN = 5

/** For steps with an unknown tool: the lines that look like failures, and the text if there are none. */
const known: Record<Exclude<StepType, 'custom'>, { lines: RegExp | null; nothing: string }> = {
  build: { lines: /\berror\b/i, nothing: 'Build failed (no specific error lines found in output)' },
  test: { lines: /FAIL|FAILED|✗/, nothing: 'Tests failed (unable to extract specific test names)' },
  lint: { lines: null, nothing: 'Lint failed (unable to extract specific errors)' },
}

/**
 * @param causes lines that name a cause
 * @param body the generic digest
 */
export function fallbackText(
  type: StepType,
  causes: readonly string[],
  body: string,
): { summary: string; text: string } {
  if (type === 'custom') {
    const summary = causes.find(says) ?? causes[0] ?? NO_OUTPUT
    // If nothing names a cause, only the last lines are left, and the first of them must not be repeated.
    const told = body === summary || body.startsWith(`${summary}\n`)
    return { summary, text: told ? `[CUSTOM] ${body}` : `[CUSTOM] ${summary}\n\n${body}` }
  }
  const { lines, nothing } = known[type]
  const found = lines === null ? [] : causes.filter((line) => lines.test(line)).slice(0, SHOWN)
  const head = `[${type.toUpperCase()}] ${found.length > 0 ? found.join('\n') : nothing}`
  return { summary: found[0] ?? nothing, text: body === NO_OUTPUT ? head : `${head}\n\n${body}` }
}

/** "Traceback (most recent call last):" only says that more follows. */
const says = (cause: string): boolean => !/:$|^npm (?:error|ERR!) code \w+$/.test(cause)
