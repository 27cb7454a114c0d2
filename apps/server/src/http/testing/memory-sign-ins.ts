import type { KeptSignIn, SignInStore } from '../../ports/store/people/sign-ins.ts'
import type { Clock } from '../../process/clock.ts'

type Kept = KeptSignIn & { key: string; server: string }

/** Sign-ins in memory, without the bounds of the real store. */
export function memorySignIns(clock: Pick<Clock, 'now'>): SignInStore {
  let all: Kept[] = []
  let last = 0
  const live = () => all.filter(({ expiresAt }) => expiresAt > clock.now())
  const change = (id: number, to: Partial<Kept>) => {
    all = all.map((one) => (one.id === id ? { ...one, ...to } : one))
  }
  return {
    addSignIn: (keys, server, signIn) =>
      void all.push({ ...signIn, ...keys, server, id: ++last, beganAt: clock.now(), usedAt: clock.now() }),
    renewSignIn: (id, keys, rest) => change(id, { ...keys, ...rest, usedAt: clock.now() }),
    signIn: (key) => live().find((one) => one.key === key) ?? null,
    isSignedIn: (id) => live().some((one) => one.id === id),
    signIns: () => live().toReversed(),
    useSignIn: (id) => change(id, { usedAt: clock.now() }),
    endSignIn: (id) => {
      const before = all.length
      all = all.filter((one) => one.id !== id)
      return all.length < before
    },
    keepSignIns: (server) => void (all = all.filter((one) => one.server === server)),
  }
}
