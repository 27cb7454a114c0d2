import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { UserError } from '../../process/user-error.ts'
import { CliError, exitOfError } from '../exit-code.ts'
import { planIn } from './plan-file.ts'

export type Edit = {
  bead: string
  /** The plan to edit; null: the bead has no plan yet. */
  view: PlanView | null
  env: Readonly<Record<string, string | undefined>>
  store: (plan: unknown, onto: number) => Promise<PlanView>
}

/**
 * Opens the plan in the person's own editor, as one JSON document. If it cannot be stored, it stays in its file, and
 * the error says where.
 *
 * @returns the stored version; null if it was left unchanged
 */
export async function editPlan({ bead, view, env, store }: Edit): Promise<PlanView | null> {
  const editor = (env['VISUAL'] ?? '').trim() || (env['EDITOR'] ?? '').trim()
  if (editor === '')
    throw new CliError(
      `no editor is set: put one into EDITOR ("export EDITOR=nano"), or edit a file: beadloom plan ${bead} --json > plan.json, then beadloom plan ${bead} --from plan.json`,
    )
  const folder = await mkdtemp(join(tmpdir(), 'beadloom-plan-'))
  const file = join(folder, `${bead.replace(/[^\w.-]/g, '_')}.json`)
  const before = textOf(view)
  await writeFile(file, before, { mode: 0o600 })
  await edited(editor, file, env)
  const text = await readFile(file, 'utf8')
  if (text === before || text.trim() === '') {
    await rm(folder, { recursive: true, force: true })
    return null
  }
  try {
    const stored = await store(planIn(text, file).plan, view?.version ?? 0)
    await rm(folder, { recursive: true, force: true })
    return stored
  } catch (error) {
    const kept = `Your text is in ${file}: fix it, then beadloom plan ${bead} --from ${file}`
    throw error instanceof UserError ? new CliError(`${error.message}\n${kept}`, exitOfError(error)) : error
  }
}

const nothingYet = { goal: '', planMarkdown: '', subtasks: [] }

/** The plan without its computed parts. */
function textOf(view: PlanView | null): string {
  const { goal, planMarkdown, subtasks } = view ?? nothingYet
  return `${JSON.stringify({ goal, planMarkdown, subtasks }, null, 2)}\n`
}

/** Runs the person's editor setting, in the way every program does. */
async function edited(editor: string, file: string, env: Edit['env']): Promise<void> {
  const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env })
  const ignored = (): void => {} // Ctrl-C belongs to the editor
  process.on('SIGINT', ignored)
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', (error) => reject(new CliError(`the editor could not be started: ${messageOf(error)}`)))
      child.once('close', (code) =>
        code === 0 ? resolve() : reject(new CliError(`the editor ended with exit code ${code}: nothing was stored`)),
      )
    })
  } finally {
    process.off('SIGINT', ignored)
  }
}
