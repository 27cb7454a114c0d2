import { open, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { DigestReader, type Digest } from '@beadloom/core/digest/digest-reader.ts'
import { digestTools } from '@beadloom/core/digest/tools.ts'
import { jsonFlag, type CommandContext } from '../context.ts'
import { CliError, exitCode, localExits } from '../exit-code.ts'
import { writeHelp } from '../terminal/help.ts'
import { print } from '../terminal/output.ts'
import { oneLiner, plainText } from '../terminal/terminal-text.ts'

type Flags = { tool?: string; command?: string; json?: boolean }

const names = [...digestTools.map(({ name }) => name), 'generic'].toSorted()

/** `digest`. Needs no server: any program's output may come in. */
export function addDigestCommand(program: Command, context: CommandContext): void {
  const digest = program
    .command('digest [file]')
    .option('--tool <name>', 'read it as output of this tool (default: every tool that is recognised)')
    .option('--command <text>', 'the command that printed it')
    .option('--json', jsonFlag.document)
  writeHelp(digest, {
    description: 'summarise the failures in the output of a build, a test run or a linter',
    more: `Tools: ${names.join(', ')}.
It needs no server. The same failures get the same fingerprint, whatever their line numbers, folders, counts and order. The exit code is 0 even if something failed in the output.
With --json: {"tool", "type", "passed", "failures", "collected", "summary", "digest", "fingerprint", "findings", "tests"}; "tests" says of each test runner which tests ran.`,
    arguments: { file: 'file with the output (default: standard input)' },
    examples: [
      'npm test 2>&1 | beadloom digest',
      'beadloom digest build.log --tool tsc',
      'beadloom digest ci.log --json | jq -r .fingerprint',
    ],
    exits: localExits,
  }).action(async (file: string | undefined, { tool, command, json }: Flags) => {
    if (tool !== undefined && !names.includes(tool))
      throw new CliError(`--tool ${oneLiner(tool)}: unknown tool. Known tools: ${names.join(', ')}`, exitCode.usage)
    const reader = new DigestReader({
      roots: rootsOf(context.cwd),
      ...(tool && { tool }),
      ...(command && { command }),
    })
    if (file === undefined || file === '-') await feed(reader, standardInput(context))
    else await feedFile(reader, file)
    const digest = reader.end()
    print(context.terminal, json === true, digest, () => describe(digest))
  })
}

/** Logs of containers name the workspace; logs of this machine name the current folder. */
const rootsOf = (cwd: string): string[] => ['/workspace/', ...(cwd === '/' ? [] : [`${cwd}/`])]

function standardInput({ terminal }: CommandContext): AsyncIterable<Uint8Array> {
  if (process.stdin.isTTY) terminal.note('reading standard input; Ctrl-D ends it')
  return process.stdin
}

async function feedFile(reader: DigestReader, file: string): Promise<void> {
  try {
    if ((await stat(file)).isDirectory())
      throw new CliError(`${file} is a folder. Name a file with the output, or pipe it: … 2>&1 | beadloom digest`)
    await using handle = await open(file)
    await feed(reader, handle.createReadStream({ highWaterMark: 1024 * 1024 }))
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError(sentenceOf(file, error as NodeJS.ErrnoException))
  }
}

function sentenceOf(file: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return `there is no file ${file}. Name one, or pipe the output: … 2>&1 | beadloom digest`
  if (code === 'EACCES' || code === 'EPERM') return `you are not allowed to read ${file} (${code})`
  return `${file} cannot be read: ${message}`
}

async function feed(reader: DigestReader, source: AsyncIterable<Uint8Array | string>): Promise<void> {
  const decoder = new TextDecoder()
  for await (const piece of source)
    reader.push(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }))
  reader.push(decoder.decode())
}

function describe(digest: Digest): string {
  const { tool, passed, failures, collected, fingerprint } = digest
  const counts = [
    ...(failures === null ? [] : [`${failures} failed`]),
    ...(collected === null ? [] : [`${collected} collected`]),
    ...(passed === null ? ['the output does not say whether it passed'] : []),
  ]
  return plainText(`${digest.digest}\n\n${[tool, ...counts].join(', ')}\nfingerprint ${fingerprint}`)
}
