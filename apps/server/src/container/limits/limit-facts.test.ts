import { describe, expect, test } from 'vitest'
import { limitFacts } from './limit-facts.ts'

describe('an engine', () => {
  test('that runs without root says so in Docker’s way or in Podman’s', () => {
    const rootless = { rootless: true, cgroups: 2 }
    const SecurityOptions = ['name=seccomp,profile=builtin', 'name=rootless', 'name=cgroupns']
    expect(limitFacts({ SecurityOptions, CgroupVersion: '2' }).limitSource).toEqual(rootless)
    expect(limitFacts({ Rootless: true, CgroupVersion: '2' }).limitSource).toEqual(rootless)
    expect(limitFacts({ Rootless: false, SecurityOptions: null }).limitSource).toEqual({
      rootless: false,
      cgroups: null,
    })
  })

  test('may say what it cannot limit; otherwise a limit counts as supported, but not swap', () => {
    expect(limitFacts({}).unlimited).toEqual(['swap'])
    const said = { MemoryLimit: false, SwapLimit: true, PidsLimit: true, CpuCfsQuota: false }
    expect(limitFacts(said).unlimited).toEqual(['memory', 'cpus'])
  })

  test('counts as another one after an upgrade, of itself or of its kernel', () => {
    const info = { ServerVersion: '28.0', Name: 'vm', KernelVersion: '6.1' }
    expect(limitFacts({ ...info }).engine).toBe(limitFacts(info).engine)
    for (const other of [{ ServerVersion: '29.0' }, { KernelVersion: '6.2' }, { CgroupVersion: '2' }])
      expect(limitFacts({ ...info, ...other }).engine).not.toBe(limitFacts(info).engine)
  })
})
