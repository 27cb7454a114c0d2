import { expect, test } from 'vitest'
import { projectSettingTable } from './project-setting-table.ts'
import { settingHelp } from './project-config-words.ts'

test("the text beside a form's field has no words of the file in it", () => {
  for (const { key } of projectSettingTable) {
    expect(settingHelp(key), key).not.toMatch(/\b(?:null|true|false|undefined)\b|[a-z]{3}[A-Z]/)
    expect(settingHelp(key), key).not.toBe('')
  }
})
