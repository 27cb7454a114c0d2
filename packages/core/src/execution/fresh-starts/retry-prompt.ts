/* The prompt of a fresh start. The template is a file of the server, or the project's own. */

/** The names that a template can have between `{{` and `}}`. */
export const placeholders = ['originalTask', 'error', 'lastThought', 'lastAction', 'observation'] as const
export type Placeholder = (typeof placeholders)[number]

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

const isPlaceholder = (name: string): name is Placeholder => (placeholders as readonly string[]).includes(name)

/** The problem of a template, as the end of a sentence about it; null: none. */
export function templateProblem(template: string): string | null {
  const used = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim())
  const unknown = used.filter((name) => !isPlaceholder(name))
  const known = placeholders.map((name) => `{{${name}}}`).join(', ')
  if (unknown.length > 0) {
    const named = [...new Set(unknown)].slice(0, 5).map((name) => `{{${name.slice(0, 60).toWellFormed()}}}`)
    return `has no placeholder ${named.join(' or ')}: there are ${known}`
  }
  return used.includes('originalTask') ? null : 'needs {{originalTask}}: without it the agent would not know its task'
}

/** The last step of a failed attempt: a sentence for each part, or '' if there was none. */
export type LastStep = Record<Exclude<Placeholder, 'originalTask'>, string>

/** `originalTask` is the task as the first attempt had it, never an earlier prompt of this kind. */
export function retryPrompt(template: string, originalTask: string, last: LastStep): string {
  const values: Record<Placeholder, string> = {
    ...last,
    originalTask,
    error: last.error.trim() === '' ? 'Unknown error' : last.error,
  }
  // In one pass: output of an agent or a command must not be read as a template.
  return template.replaceAll(PLACEHOLDER, (whole, name: string) => {
    const key = name.trim()
    return isPlaceholder(key) ? values[key] : whole
  })
}
