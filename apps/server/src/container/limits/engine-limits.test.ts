import { describe, expect, test } from 'vitest'
import type { RuntimeSeen } from '@beadloom/core/isolation/runtime-seen.ts'
import type { EffectiveLimits } from '@beadloom/core/container-limits/effective-limits.ts'
import { EngineError } from '../../ports/engine.ts'
import type { EngineFacts } from '../engine-info.ts'
import { askedLimits } from './asked-limits.ts'
import { EngineLimits } from './engine-limits.ts'
import { probeConfig, type Probed } from './limit-probe.ts'

const facts = {
  engine: 'one',
  unlimited: [],
  limitSource: { rootless: false, cgroups: 2 },
  runtime: { name: 'runsc', kernel: '6.1.0', hasUserNamespace: false },
} as unknown as EngineFacts
const unseen = { runtime: null, broken: null }
const spec = { name: 'beadloom-x', image: 'sha256:0' }
const all = askedLimits(probeConfig('', ''))

/** An engine on which containers see `acting`; `image` null: it has none to look with. */
function engine(
  acting: Partial<EffectiveLimits> | Error,
  { allowUnlimited = false, image = 'any' as string | null, runtime = null as RuntimeSeen | null } = {},
) {
  let now = 0
  const looks: string[] = []
  const look = async (_: unknown, image: string): Promise<Probed> => {
    looks.push(image)
    if (acting instanceof Error) throw acting
    return { acting: { ...all, ...acting }, unshown: ['swap'], lacksIpv6: true, runtime }
  }
  const limits = new EngineLimits({
    probe: { ownImage: async () => image, look },
    allowUnlimited,
    clock: { monotonic: () => now },
  })
  return { limits, looks, later: (ms: number) => (now += ms) }
}

describe('an engine that is away', () => {
  const away = new EngineError('unreachable', 'gone')

  test('is what a start hears, and is looked at again with the next', async () => {
    const { limits, looks } = engine(away)
    void limits.lookIfPossible(facts)
    await expect(limits.before(facts, spec)).rejects.toBe(away)
    await expect(limits.before(facts, spec)).rejects.toBe(away)
    expect(looks).toEqual(['any', 'any'])
    expect(limits.known(facts)).toEqual({ ...unseen, ineffective: [], looked: false, notes: [] })
  })
})

describe('the limits of an engine', () => {
  test('are looked at once, however many containers are made at the same time', async () => {
    const { limits, looks } = engine({})
    void limits.lookIfPossible(facts)
    const made = await Promise.all([1, 2, 3].map(() => limits.before(facts, spec)))
    expect(made[0]).toEqual({ unshown: ['swap'], notes: [], lacksIpv6: true })
    expect(looks).toEqual(['any'])
  })

  test('are looked at for each image that others have a say in, as long as there is none of ours', async () => {
    const { limits, looks } = engine({ cpus: Infinity }, { image: null })
    await limits.lookIfPossible(facts)
    const other = { ...spec, image: 'sha256:1' }
    const made = await Promise.all([spec, spec, other].map((one) => limits.before(facts, one)))
    expect(looks).toEqual(['sha256:0', 'sha256:1'])
    expect(made.map(({ notes }) => notes.length)).toEqual([1, 1, 1])
    expect(limits.known(facts)).toEqual({ ...unseen, ineffective: [], looked: false, notes: [] }) // it is only their word
  })

  test('are looked at anew when the engine is another one', async () => {
    const { limits, looks } = engine({ cpus: Infinity })
    await limits.before(facts, spec)
    expect(limits.known({ ...facts, engine: 'two' })).toMatchObject({ ineffective: [], looked: false })
    await limits.lookIfPossible({ ...facts, engine: 'two' })
    expect(looks).toHaveLength(2)
  })

  test('are reported where they have no effect, whatever the engine says of itself', async () => {
    const { limits } = engine({ cpus: 2, openFiles: Infinity })
    const { notes } = await limits.before(facts, spec)
    expect(notes).toEqual([expect.stringMatching(/^not limited in containers: CPU time and open files\./)])
    expect(limits.known({ ...facts, unlimited: ['swap'] }).ineffective).toEqual(['cpus', 'openFiles'])
  })

  test('have to exist for memory and processes, unless a person allows otherwise', async () => {
    const refused = await engine({ memory: Infinity })
      .limits.before(facts, spec)
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ kind: 'weaker-than-asked' })
    expect(String(refused)).toMatch(
      /beadloom-x was not opened: not limited in containers: memory\. .*--allow-unlimited$/,
    )
    const { limits } = engine({ memory: Infinity, processes: Infinity }, { allowUnlimited: true })
    expect((await limits.before(facts, spec)).notes.join()).toMatch(/memory and the number of processes/)
  })

  test('that nobody could look at are the engine’s own word, and looked at again after a minute', async () => {
    const { limits, looks, later } = engine(new EngineError('failed', 'no such thing'))
    const says = { ...facts, unlimited: ['cpus'] } as EngineFacts
    const { unshown, notes } = await limits.before(says, spec)
    expect(unshown).toEqual(['cpus'])
    expect(notes).toEqual([expect.stringMatching(/CPU time/), expect.stringMatching(/could not be looked at: no such/)])
    later(59_999)
    await limits.before(says, spec)
    await limits.lookIfPossible(says)
    expect(looks).toHaveLength(1)
    later(1)
    await limits.lookIfPossible(says)
    expect(looks).toHaveLength(2)
    await expect(limits.before({ ...facts, engine: 'two', unlimited: ['memory'] }, spec)).rejects.toThrow(/memory/)
  })
})

describe('the runtime of an engine', () => {
  const onHost = { kernel: '6.1.0', isOwnKernel: false, isGvisor: false, root: 0 }

  test('that promises a kernel of its own has to show one before anything starts, whatever a person allows', async () => {
    const { limits } = engine({}, { runtime: onHost, allowUnlimited: true })
    await expect(limits.before(facts, spec)).rejects.toMatchObject({
      kind: 'weaker-than-asked',
      message: expect.stringMatching(/beadloom-x was not opened: containers of the runtime runsc have to have/),
    })
    expect(limits.known(facts)).toMatchObject({ runtime: onHost, broken: expect.stringContaining('runsc') })
    const own = { ...onHost, isOwnKernel: true, root: null }
    await expect(engine({}, { runtime: own }).limits.before(facts, spec)).resolves.toMatchObject({ notes: [] })
  })

  test('is not looked at if nothing can run at all', async () => {
    const { limits, looks } = engine({})
    await limits.lookIfPossible({ ...facts, unusable: 'it has no runtime runsc' })
    expect(looks).toEqual([])
  })
})
