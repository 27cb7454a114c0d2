import { access, constants, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HubError } from '../ports/hub.ts'
import type { Clock } from '../process/clock.ts'
import type { Signing } from '../process/settings/signing-settings.ts'
import { Git } from './git/git.ts'
import { SIGN_TIMEOUT_MS, signerOf } from './git/signer.ts'

/** Git knows it in every repository. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const WHO = { GIT_AUTHOR_NAME: 'Beadloom', GIT_AUTHOR_EMAIL: 'beadloom@localhost' }

type Person = Readonly<Record<string, string | undefined>>

/** Signs a commit that is thrown away. Null: it can be done; else a sentence that says what to do. */
export async function signingProblem(signing: Signing, env: Person, clock: Clock): Promise<string | null> {
  const { format, key } = signing
  if (format === 'ssh') {
    const code = await access(key, constants.R_OK).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    )
    if (code !== null)
      return `signing: the key ${key} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}: correct "signing" in config.json`
  }
  const { args, config, env: own, whyNot } = signerOf(signing, env)
  const folder = await mkdtemp(join(tmpdir(), 'beadloom-signing-'))
  try {
    const git = new Git({ binary: 'git', home: folder, searchPath: env['PATH'] ?? '', cwd: folder, clock })
    const gitDir = join(folder, 'try.git')
    await git.run({ args: ['init', '--quiet', '--bare', '--template=', gitDir] })
    const call = ['commit-tree', ...args, EMPTY_TREE, '-m', 'A try']
    const who = { ...WHO, GIT_COMMITTER_NAME: WHO.GIT_AUTHOR_NAME, GIT_COMMITTER_EMAIL: WHO.GIT_AUTHOR_EMAIL }
    await git.run({ gitDir, args: call, config, env: { ...who, ...own }, timeoutMs: SIGN_TIMEOUT_MS })
    return null
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    return `signing: ${whyNot(error.message)}`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
