import { spawn } from 'node:child_process'
import { docker } from '../repositories/images.ts'

/**
 * The end of the repository's own tests. `noBuild`: a compiler refused the change, so no test has judged it. `endless`:
 * they were still running at the limit, which proves nothing either.
 */
export type OwnRun = { passed: boolean; noBuild: boolean; endless: boolean; seconds: number; tail: string }

const LIMIT_SECONDS = 400
/** The exit code of `timeout` when it has ended the program. */
const TIMED_OUT = 124

const NO_BUILD =
  /\bSyntaxError\b|IndentationError|Transform failed|PARSE_ERROR|could not compile|COMPILATION ERROR|\[build failed\]|\[setup failed\]|: (?:fatal )?error: /

/** The image of a project's containers: its checkout, in which `setup` has run. */
export function projectImage(project: string): string | null {
  const [image] = docker('images', '--quiet', '--filter', `reference=beadloom/project-${project}`)
  return image ?? null
}

/** Runs the repository's own tests without Beadloom, in a container of its image without a network. */
export async function runOwn(image: string, own: string, patch: string | null, limit = LIMIT_SECONDS): Promise<OwnRun> {
  const apply = patch === null ? '' : 'base64 -d <<END | git apply --unidiff-zero || exit 99\n'
  const script = `${UNPACK}\ncd /workspace || exit 98\n${apply}${patch === null ? '' : `${encode(patch)}\nEND\n`}timeout ${limit} sh -c "$OWN"`
  const began = performance.now()
  const args = ['run', '--rm', '--network', 'none', '--memory', '4g', '--entrypoint', 'sh', '--env', `OWN=${own}`]
  const { code, output } = await collect('docker', [...args, image, '-c', script])
  if (code === 98 || code === 99 || code === 125)
    throw new Error(`the own tests could not be run: ${output.slice(-400)}`)
  const seconds = Math.round((performance.now() - began) / 100) / 10
  const noBuild = code !== 0 && NO_BUILD.test(output)
  return { passed: code === 0, noBuild, endless: code === TIMED_OUT, seconds, tail: output.slice(-1500) }
}

/** Copies the workspace from its place in the image, as Beadloom's own start does, which is not called here. */
const UNPACK =
  'if [ -d /var/lib/beadloom/workspace ]; then cp -a /var/lib/beadloom/workspace/. /workspace/ || exit 98; fi'

const encode = (text: string): string => Buffer.from(text).toString('base64')

function collect(program: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const hear = (text: string): void => void (output = (output + text).slice(-200_000))
    child.stdout.setEncoding('utf8').on('data', hear)
    child.stderr.setEncoding('utf8').on('data', hear)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}
