import { describe, expect, test } from 'vitest'
import { evidenceImage } from './evidence-image.ts'
import { sampleStep, sampleView } from '../testing/sample-views.ts'

const commit = 'abcdef1234567890abcdef1234567890abcdef12'
const image = (over: Partial<Parameters<typeof evidenceImage>[0]> = {}) =>
  evidenceImage({
    ...sampleView({ state: 'COMPLETED', commit, verifications: [sampleStep({ collected: 13, commit })] }),
    project: 'demo',
    bead: 'bl-1',
    title: 'Cut a text at a word',
    ...over,
  })

describe('the evidence picture', () => {
  test('has the bead, its sentences, how many of them are shown, and the commit', () => {
    const svg = image()
    for (const words of [
      'bl-1',
      'Cut a text at a word',
      '13 tests passed in a clean checkout',
      'Not known: whether new tests fail without the change',
      '1 of 2 shown',
      'abcdef1',
    ])
      expect(svg).toContain(`>${words}`.replace('>abcdef1', 'abcdef1'))
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="720" height="192"/)
  })

  test('requests nothing from outside, and runs nothing', () => {
    expect(image().replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|href|<script|<style|on\w+=|url\(/)
  })

  test('stays one card, whatever a stranger writes', () => {
    const title = `</text><script>alert(1)</script>\u202e"'&\u0000\n${'W'.repeat(10_000)}`
    const names = Array.from({ length: 300 }, (_, at) =>
      sampleStep({ step: at, name: `<b>${at}`, opinion: { model: '<i>', answer: 'no', required: false } }),
    )
    const svg = image({ title, bead: '<x>', project: '"', verifications: names })
    expect(svg).not.toMatch(/<script|<b>|<i>|<x>|\u202e/)
    expect(svg.match(/<text /g)?.length).toBeLessThan(20)
    expect(svg.length).toBeLessThan(16_000)
  })
})
