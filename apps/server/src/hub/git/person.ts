import type { Identity } from '@beadloom/core/records/identity.ts'
import type { Git } from './git.ts'
import { personsEnvironment } from './git-flags.ts'

/** Name and address with which the server's user commits, from their git configuration; else null. Never rejects. */
export async function personOf(git: Git, env: Readonly<Record<string, string | undefined>>): Promise<Identity | null> {
  const ask = (key: string) =>
    git.text({ args: ['config', '--get', key], env: personsEnvironment(env), answers: [1] }).catch(() => '')
  // Git would strip or refuse these characters.
  const clean = (text: string) => text.replace(/[<>\p{Cc}]/gu, '').trim()
  const [name, email] = [clean(await ask('user.name')), clean(await ask('user.email'))]
  return name === '' || email === '' ? null : { name, email }
}
