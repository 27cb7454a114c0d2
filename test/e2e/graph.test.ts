import { expect, test } from 'vitest'
import { growGraph } from './support/large-graph.ts'
import { beadOf, onMadeUp, press } from './support/made-up.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

onMadeUp('a person who looks at the dependencies', (stage) => {
  longTest('walks along the edges with the keyboard, and comes to a bead', async () => {
    const { page } = await stage.open('/p/wordcraft')
    await page.locator('[data-bead]').first().waitFor()
    await press(page, 'g', 'd')
    const box = (id: string) => page.locator(`[data-node="${id}"]`)
    await box('wc-d20').focus()
    await press(page, 'ArrowRight', 'ArrowRight')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-node'))).toBe('wc-b02')
    await press(page, 'ArrowLeft', '.')
    await page.getByRole('heading', { name: 'Around wc-9fe' }).waitFor()
    await page.getByRole('region', { name: 'Blocks' }).getByText('wc-e01').waitFor()
    await press(page, 'o')
    await page.waitForURL(/\/b\/wc-9fe/)
    await page.goBack()
    await page.getByRole('heading', { name: 'Around wc-9fe' }).waitFor()
  })

  test('sees a state change in its place, and opens parts that are not drawn', async () => {
    const { page } = await stage.open('/p/wordcraft/graph?bead=wc-d21')
    const node = page.locator('[data-node="wc-e02"]')
    const before = await node.boundingBox()
    const project = stage.project('wordcraft')
    const changed = beadOf(project, 'wc-e02')
    changed.status = 'blocked'
    stage.world.tellBead(project, changed)
    await node.getByText('Blocked').waitFor({ state: 'attached' })
    expect(await node.boundingBox()).toEqual(before)
    await page.getByRole('button', { name: /more neighbours? of wc-e01/ }).click()
    await page.locator('[data-node="wc-9fe"]').waitFor()
  })

  longTest('waits only once for a picture of thousands of beads: unchanged parts are not drawn again', async () => {
    const project = stage.project('big-tracker')
    growGraph(project, 5000)
    const { page } = await stage.open(null)
    // Each message to a worker orders a picture.
    await page.addInitScript(() => {
      const ask = Worker.prototype.postMessage
      Object.assign(globalThis, { pictures: 0 })
      Worker.prototype.postMessage = function (this: Worker, message: unknown) {
        ;(globalThis as unknown as { pictures: number }).pictures++
        ask.call(this, message)
      }
    })
    const pictures = () => page.evaluate(() => (globalThis as unknown as { pictures: number }).pictures)
    const readAgain = () => page.waitForResponse(/\/dependencies$/).then((response) => response.finished())
    await page.goto(`${stage.url}/p/big-tracker/graph`)
    await page.locator('[data-node]').nth(99).waitFor()
    expect(await page.locator('[data-node]').count()).toBe(100)
    const once = await pictures()

    await press(page, 'g', 'b')
    await page.locator('[data-bead]').first().waitFor()
    const again = readAgain()
    await press(page, 'g', 'd')
    await page.locator('[data-node]').nth(99).waitFor()
    await again
    const [[, bead] = []] = project.beads
    if (bead === undefined) throw new Error('there is no bead')
    const polled = readAgain()
    stage.world.tellBead(project, Object.assign(bead, { title: 'Another title' }))
    await polled
    expect(await pictures()).toBe(once)

    stage.world.tellBead(project, Object.assign(bead, { status: bead.status === 'done' ? 'open' : 'done' }))
    await expect.poll(pictures).toBeGreaterThan(once)
  })
})
