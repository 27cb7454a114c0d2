import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'

const run = promisify(execFile)

/** Puts this Node first, and leaves out the settings of the person who runs the test. */
const prelude = (home: string) =>
  [
    `export PATH="${dirname(process.execPath)}:$PATH" HOME="${home}"`,
    'export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null',
    'export GIT_AUTHOR_NAME=Agent GIT_AUTHOR_EMAIL=agent@example.com',
    'export GIT_COMMITTER_NAME=Agent GIT_COMMITTER_EMAIL=agent@example.com',
  ].join('\n')

/** A folder in which a scripted model's tool calls are carried out, on this machine. */
export class Checkout {
  readonly folder: string
  constructor(folder: string) {
    this.folder = folder
  }

  /** Runs a command line. Returns its exit code and output. */
  async sh(command: string, stdin = ''): Promise<{ code: number; output: string }> {
    const script = `${prelude(dirname(this.folder))}\n${command}`
    const running = run('sh', ['-c', script], { cwd: this.folder, maxBuffer: 16 * 1024 ** 2 })
    running.child.stdin?.on('error', () => {}) // a command need not read its input
    running.child.stdin?.end(stdin)
    return running.then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        output: stdout + stderr,
      }),
    )
  }

  async must(command: string, stdin = ''): Promise<string> {
    const { code, output } = await this.sh(command, stdin)
    if (code !== 0) throw new Error(`${command}\n${output}`)
    return output.trim()
  }

  async call(tool: string, args: Record<string, string>): Promise<string> {
    const path = join(this.folder, args['path'] ?? '')
    if (tool === 'bash') {
      const { code, output } = await this.sh(args['command'] ?? '')
      return `exit code ${code}\n${output}`
    }
    if (tool === 'read_file') return readFile(path, 'utf8')
    const content = tool === 'write_file' ? args['content'] : await this.#edited(path, args)
    await writeFile(path, content ?? '')
    return 'ok'
  }

  async #edited(path: string, { old_text: oldText = '', new_text: newText = '' }: Record<string, string>) {
    const parts = (await readFile(path, 'utf8')).split(oldText)
    expect(parts, `${path} holds this exactly once: ${oldText}`).toHaveLength(2)
    return parts.join(newText)
  }
}
