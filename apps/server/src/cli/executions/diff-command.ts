import type { Command } from 'commander'
import type { DiffFileView, DiffView, PatchView } from '@beadloom/core/api/executions/diff-api.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { chooseExecution } from '../choose.ts'
import { projectOption, type CommandContext } from '../context.ts'
import { patchText, statLines } from './diff-view.ts'
import { Refused } from '../exit-code.ts'
import { safeJson } from '@beadloom/core/text/safe-json.ts'
import { pagedOutput } from '../terminal/pager.ts'
import { paintOf } from '../terminal/paint.ts'
import { oneLiner } from '../terminal/terminal-text.ts'

export function addDiffCommand(program: Command, context: CommandContext): void {
  const { terminal, cwd, env } = context
  context
    .command(program, {
      usage: 'diff <bead> [paths...]',
      description: 'show what an execution changed since its branch started',
      more: 'A bead means its newest execution; while that is running, you see what is committed so far. A pager is used only if PAGER is set and standard output is a terminal.\nWith --json: {"execution", "from", "to", "files": [{"path", "oldPath", "status", "added", "removed", "patch", "truncated"}]}; with --stat without "patch" and "truncated".',
      arguments: { bead: 'bead id or execution id', paths: 'only these files and folders' },
      examples: [
        'beadloom diff bl-4f2',
        'beadloom diff bl-4f2 --stat',
        'beadloom diff ex-4k1m9x2c7q src/list.ts',
        'beadloom diff bl-4f2 | git apply --check',
      ],
    })
    .addOption(projectOption())
    .option('--stat', 'only list the changed files, with line counts')
    .action(
      context.run(async ({ api, json, args, options }) => {
        const given = String(args[0])
        const paths = (args[1] ?? []) as string[]
        const how = (id: string) => `beadloom diff ${given} --project ${id}`
        const id = await chooseExecution(api, given, { named: options['project'], cwd, how })
        const path = `/api/executions/${segment(id)}/diff`
        const { from, to, files: all, more = 0 } = await api.get<DiffView>(path)
        const files = all.filter((file) => isAmong(file, paths))
        const stat = options['stat'] === true
        if (more > 0)
          terminal.note(
            `Only the first ${counted(all.length, 'changed file')} are read; ${counted(more, 'more file')} changed, too.`,
          )
        const write = async (text: string): Promise<void> => {
          if (!terminal.write(text)) await terminal.drained()
        }
        if (json) {
          // Piece by piece: together the patches may be larger than a string should be.
          await write(`${safeJson(JSON.stringify({ execution: id, from, to })).slice(0, -1)},"files":[`)
          for (const [at, file] of files.entries()) {
            const patch = stat ? {} : await patchOf(api, path, file)
            await write(`${at > 0 ? ',' : ''}\n${safeJson(JSON.stringify({ ...file, ...patch }))}`)
          }
          return write(']}\n')
        }
        if (files.length === 0) return terminal.note(nothing(given, paths, all.length))
        const paint = paintOf(terminal.colour)
        const output = pagedOutput(terminal, env)
        // Byte for byte, or git refuses it: line ends and invisible marks are part of a file.
        const forGit = !terminal.watched && !terminal.colour
        if (stat) await output.write(`${statLines(files, terminal.columns, paint).join('\n')}\n`)
        else {
          for (const file of files) {
            const { patch, truncated } = await patchOf(api, path, file)
            const text = forGit ? patch : patchText(patch, paint)
            if (!(await output.write(text.endsWith('\n') ? text : `${text}\n`))) break
            if (truncated) terminal.note(`${oneLiner(file.path)} is too long to show in full`)
            else if (forGit && file.added === null)
              terminal.note(`${oneLiner(file.path)} is only named: it is binary, or larger than 16 MiB`)
          }
        }
        await output.end()
      }),
    )
}

const isAmong = ({ path, oldPath }: DiffFileView, paths: readonly string[]): boolean =>
  paths.length === 0 ||
  paths.some((given) => {
    const name = given.replace(/^\.\//, '').replace(/\/+$/, '')
    return [path, oldPath].some((one) => one === name || one?.startsWith(`${name}/`))
  })

/** The file's patch; empty if the file is no longer changed, because a working agent moves its branch. */
async function patchOf(
  api: ApiClient,
  path: string,
  file: DiffFileView,
): Promise<{ patch: string; truncated: boolean }> {
  try {
    const { patch, truncated } = await api.get<PatchView>(`${path}?path=${segment(file.path)}`)
    return { patch, truncated }
  } catch (error) {
    if (error instanceof Refused && error.code === 'not_changed') return { patch: '', truncated: false }
    throw error
  }
}

const nothing = (given: string, paths: readonly string[], all: number): string =>
  paths.length > 0 && all > 0
    ? `${given} changed none of these. It changed ${counted(all, 'file')}: beadloom diff ${given} --stat`
    : `${given} has no changes.`
