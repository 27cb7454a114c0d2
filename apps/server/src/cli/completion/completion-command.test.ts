import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { completionScript, shells, type Shell } from './completion-command.ts'
import { CommandContext } from '../context.ts'
import { terminalOf } from '../terminal/output.ts'
import { allCommands } from '../program-of.ts'
import { createProgram } from '../program.ts'

const program = createProgram(new CommandContext({}, '/', terminalOf(process.stdout, process.stderr, {})))

/** Replaces the program that the scripts ask for ids; its answer is its own arguments as an id. */
const PROGRAM = `#!/bin/sh
case "$*" in
  "ids projects") printf 'library\tA library\n' ;;
  "ids projects beads") printf 'library\tA library\n' ;;
  "ids beads") printf 'bl-1\topen  One: two\nbl-2.3\tdone  $(touch owned)\n$(touch owned)\topen\n' ;;
  "ids beads --data /else -p library") printf 'le-1\topen\n' ;;
  "ids executions beads") printf 'ex-0000000001\tRUNNING\nbl-1\topen\n' ;;
esac
`
/** Does what an interactive shell does with a line that ends at the cursor, without a terminal. */
const harness: Record<Shell, string> = {
  bash: `COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    compopt() { :; }
    _beadloom
    printf '%s\n' "\${COMPREPLY[@]}"`,
  zsh: `_describe() { local -a all; all=("\${(@P)2}"); print -rl -- "\${(@)all%%:*}"; }
    _files() { print -rl -- *; }
    words=("$@") CURRENT=$#
    _beadloom`,
  fish: `complete -C "$(string join ' ' -- $argv)" | string replace -r '\\t.*' ''; true`,
}
const head: Record<Shell, string> = { bash: '', zsh: 'compdef() { :; }', fish: '' }

const isHere = (shell: Shell): boolean => {
  try {
    execFileSync(shell, ['-c', 'exit 0'])
    return true
  } catch {
    if (process.env['REQUIRE_ALL'] === '1' && shell === 'bash') throw new Error('REQUIRE_ALL=1, and there is no bash')
    console.warn(`SKIPPED: completion in ${shell}, which is not installed`)
    return false
  }
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-complete-'))
  writeFileSync(join(folder, 'beadloom'), PROGRAM)
  chmodSync(join(folder, 'beadloom'), 0o755)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(shells)('completion in %s', (shell) => {
  const script = completionScript(program, shell)

  test('has every command', () => {
    for (const command of allCommands(program)) expect(script).toContain(command.name())
  })

  describe.skipIf(!isHere(shell))('for', () => {
    /** The offers. For shells that filter by the typed text, this filters too. */
    const complete = (...words: string[]): string[] => {
      const text = [head[shell], script, harness[shell]].join('\n')
      const args = shell === 'fish' ? ['--no-config', '-c', text] : ['-c', text, shell]
      const out = execFileSync(shell, [...args, 'beadloom', ...words], {
        encoding: 'utf8',
        cwd: folder,
        env: { PATH: `${folder}:${process.env['PATH']}`, HOME: folder },
      })
      const typed = words.at(-1) ?? ''
      return out
        .split('\n')
        .filter((line) => line !== '' && line.startsWith(typed))
        .toSorted()
    }

    test('commands, their subcommands, options and their choices', () => {
      expect(complete('wa')).toEqual(['watch'])
      expect(complete('beads', 'cl')).toEqual(['close'])
      expect(complete('beads', '-p', 'library', 'sh')).toEqual(['show'])
      expect(complete('run', 'bl-1', '--retry-b')).toEqual(['--retry-backoff'])
      expect(complete('beads', '--status', 'b')).toEqual(['blocked'])
      expect(complete('completion', 'f')).toEqual(['fish'])
      expect(complete('ids', 'p')).toEqual(['projects'])
    })

    test('beads, executions and projects of the server that the words name', () => {
      const beads = complete('run', 'bl')
      expect(beads).toEqual(['bl-1', 'bl-2.3'])
      expect(complete('logs', '')).toEqual(expect.arrayContaining(['ex-0000000001', 'bl-1']))
      expect(complete('run', '--project', 'l')).toEqual(['library'])
      expect(complete('pause', 'l')).toEqual(['library'])
      expect(complete('run', '--data', '/else', '-p', 'library', 'l')).toEqual(['le-1'])
      expect(complete('beads', 'create', 'Title', '--depends-on', 'bl-1')).toEqual(['bl-1'])
    })

    test('files for a file argument, and nothing for free text', () => {
      expect(complete('digest', 'bea')).toContain('beadloom')
      expect(complete('run', 'bl-1', '--context', 'b')).toEqual([])
    })

    test('never runs a title or an id that looks like a command', () => {
      complete('run', '')
      expect(execFileSync('ls', [folder], { encoding: 'utf8' })).toBe('beadloom\n')
    })
  })
})
