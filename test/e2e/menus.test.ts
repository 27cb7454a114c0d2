// @suite dashboard
import { expect, test } from 'vitest'
import { violationsInBothThemes } from './support/accessibility.ts'
import { onMadeUp } from './support/made-up.ts'

/* A menu lies above the page, outside all its landmarks. */
onMadeUp('an open menu', (stage) => {
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const)
    test(`has no barrier in either theme in a window of ${width} pixels`, async () => {
      const { page } = await stage.open('/p/wordcraft', { size: { width, height } })
      await page.locator('[data-bead]').filter({ visible: true }).first().waitFor()
      const found: string[] = []
      for (const name of ['Views', 'Filter', 'Display', /^wordcraft/]) {
        await page.getByRole('button', { name, exact: true }).first().click()
        await page.getByRole('menu').waitFor()
        for (const violation of await violationsInBothThemes(page)) found.push(`${String(name)}: ${violation}`)
        expect(await page.getByRole('menu').count(), `${String(name)} is still open`).toBe(1)
        await page.keyboard.press('Escape')
        await page.getByRole('menu').waitFor({ state: 'detached' })
      }
      expect(found).toEqual([])
    })
})
