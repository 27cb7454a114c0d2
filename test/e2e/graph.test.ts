import { expect, test } from 'vitest'
import { beadOf, onMadeUp, press } from './support/made-up.ts'

onMadeUp('a person who looks at the dependencies', (stage) => {
  test('walks along them with the keyboard, and comes to a bead', async () => {
    const { page } = await stage.open('/p/wordcraft')
    await page.locator('[data-bead]').first().waitFor()
    await press(page, 'g', 'd')
    const box = (id: string) => page.locator(`[data-node="${id}"]`)
    await box('wc-d20').focus()
    await press(page, 'ArrowRight', 'ArrowRight')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-node'))).toBe('wc-b02')
    await press(page, 'ArrowLeft', '.')
    await page.getByRole('heading', { name: 'Around wc-9fe' }).waitFor()
    await page.getByRole('region', { name: 'Holds up' }).getByText('wc-e01').waitFor()
    await press(page, 'o')
    await page.waitForURL(/\/b\/wc-9fe/)
    await page.goBack()
    await page.getByRole('heading', { name: 'Around wc-9fe' }).waitFor()
  })

  test('sees a state change in its place, and opens what is not drawn', async () => {
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
})
