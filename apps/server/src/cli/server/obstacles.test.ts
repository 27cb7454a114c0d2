import { expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { NOT_CHECKED } from '../../app/engines/engine-facts.ts'
import { showObstacles } from './obstacles.ts'

test('an obstacle that stops everything is reported once when it comes and once when it is over', async () => {
  const clock = new HandClock()
  const stop = new AbortController()
  const lines: string[] = []
  const docker = { ok: false, text: NOT_CHECKED as string, where: null as string | null, weaker: [] }
  const disk = { ok: true, freeBytes: 0 }
  const looks = async () => {
    for (let look = 0; look < 3; look++) await clock.advance(1_000)
  }
  const showing = showObstacles(
    () => ({ docker, disk, database: null }),
    (line) => lines.push(line),
    clock,
    stop.signal,
  )
  await looks()
  expect(lines).toEqual([])
  docker.text = 'Docker does not answer\u001b[2J: start it'
  await looks()
  expect(lines).toEqual(['✕ Nothing can run until Docker answers: Docker does not answer: start it'])
  docker.ok = true
  docker.text = 'Docker 28'
  docker.where = '/var/run/docker.sock: DOCKER_HOST is set'
  disk.ok = false
  await looks()
  disk.ok = true
  await looks()
  expect(lines.slice(1)).toEqual([
    'Container engine: Docker 28; /var/run/docker.sock: DOCKER_HOST is set',
    expect.stringMatching(/^✕ Nothing new starts: .*disk/),
    expect.stringMatching(/^✓ .*work continues/),
  ])
  stop.abort()
  await clock.advance(1_000)
  await showing
})
