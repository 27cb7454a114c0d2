import { readFileSync } from 'node:fs'
import { templateProblem } from '@beadloom/core/execution/fresh-starts/retry-prompt.ts'
import { sourceFile } from '../process/own-files.ts'

/** Reads a template of the prompt for fresh starts. Throws if it could not be filled in. */
export function readTemplate(path: string): string {
  const template = readFileSync(path, 'utf8')
  const problem = templateProblem(template)
  if (problem !== null) throw new Error(`the template ${path} ${problem}`)
  return template
}

/** For projects without a template of their own. */
export const shippedTemplate = readTemplate(sourceFile('workflow', 'prompts', 'react-retry.prompt'))
