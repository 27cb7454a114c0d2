import type { Identity } from '@beadloom/core/project/identity.ts'
import type { Git } from './git.ts'
import { personsEnvironment } from './git-flags.ts'

/** As whom whoever runs the server commits, by their own configuration of git; null: it does not say. Never rejects. */
export async function personOf(git: Git, env: Readonly<Record<string, string | undefined>>): Promise<Identity | null> {
  const ask = (key: string) =>
    git.text({ args: ['config', '--get', key], env: personsEnvironment(env), answers: [1] }).catch(() => '')
  // What git would strip, or refuse, is left out here.
  const clean = (text: string) => text.replace(/[<>\p{Cc}]/gu, '').trim()
  const [name, email] = [clean(await ask('user.name')), clean(await ask('user.email'))]
  return name === '' || email === '' ? null : { name, email }
}
