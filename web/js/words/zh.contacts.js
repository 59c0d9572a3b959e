// 联系人的中文词句，键与英文相同。

export default {
  contacts: {
    hint: "人、电话、地址和生日", newOne: "新建", newTitle: "新建联系人", search: "搜索姓名、电话、街道、日期", searchExample: "姓名、电话、街道、日期", letters: "字母", lettersOf: (letter) => `跳到 ${letter}`,
    countOf: (n) => `${n} 个联系人`, none: "还没有联系人", noneText: "添加一个人，或导入手机中的 vCard。", nothingFoundText: "搜索姓名、电话、街道或日期的一部分。", tooManyTerms: "最多搜索 8 个词，共 100 个字符。",
    import: "导入 vCard", export: "导出 vCard", duplicates: "重复项", duplicatesCount: (n) => `${n} 个可能重复的联系人`, deletedCount: (n) => `${n} 个已删除的联系人`,
    contact: "联系人", call: "拨打", mail: "写信", map: "地图", mapOf: (address) => `${address} 的地图（在新标签页中打开）`, callNumber: (number) => `拨打 ${number}`, mailTo: (address) => `写信给 ${address}`,
    types: { cell: "手机", home: "家庭", work: "工作", fax: "传真", other: "其他", birthday: "生日", anniversary: "纪念日" },
    turns: (years) => `满 ${years} 岁`, years: (years) => `${years} 周年`, isOver: "已过", nothingMore: "目前只有姓名。", noSuch: "没有此联系人", isDeleted: "此联系人已删除", deletedSaid: (name) => `已删除 ${name}。`,
    restoredSaid: (name) => `已恢复 ${name}。`, nothingDeleted: "没有已删除的联系人",
    names: "姓名", namesStay: "姓名以后不能更改。保存前请检查写法。", namesAreFixed: "姓名不能更改。如需其他姓名，请新建联系人。", firstName: "名", middleName: "中间名", lastName: "姓", phones: "电话", addresses: "地址",
    emails: "邮箱", dates: "日期", kind: "类型", area: "区号", number: "号码", whole: "完整号码", wholeExample: "+86…", wholeHint: "以 + 和国家代码开头", asParts: "改为填写区号和号码", asWhole: "改为填写国家代码",
    digitsMissing: (n) => `还差 ${n} 位数字。`, digitsMore: (n) => `多了 ${n} 位数字。`, street: "街道和门牌", apt: "房间、楼层", city: "城市", state: "省或州", zip: "邮政编码", country: "国家或地区",
    email: "邮箱", day: "日", month: "月", year: "年", yearHint: "可以留空", yearly: "每年", yearlyHint: "否则只有这一天", remindMe: "提醒我", asUsual: "照常", onTheDay: "当天", daysBefore: (n) => `提前 ${n} 天`, note: "备注",
    addPhone: "添加电话", addAddress: "添加地址", addEmail: "添加邮箱", addDate: "添加日期", removePart: (what) => `移除${what}`, save: "保存", saved: (name) => `已保存 ${name}。`, added: (name) => `已添加 ${name}。`, editTitle: (name) => `更改 ${name}`,
    duplicatesText: "这些可能是同一个人。", noDuplicates: "没有重复项", noDuplicatesText: "没有两个联系人有相同的号码或地址。", reasons: { phone: "号码相同", email: "邮箱相同", date: "姓名和日期相同", address: "姓名和地址相同" },
    keepName: "保留哪个姓名？", merge: "合并", different: "不同的人", merged: (name) => `已合并为一个联系人：${name}。另一个可在 30 天内恢复。`, differentSaid: "这里不再显示他们。", pairOf: (one, other) => `${one}和${other}`,
    importTitle: "导入 vCard", importText: "先显示会有哪些变化，在此之前不会写入任何内容。", file: "文件（.vcf）", fileHint: "由手机、Google、iCloud、Outlook 或 Nextcloud 导出", checking: "正在读取名片…", cards: (n) => `${n} 张名片`,
    fresh: (n) => `${n} 个新建`, changed: (n) => `${n} 个更改`, same: (n) => `${n} 个相同`, refusedCount: (n) => `${n} 个无法导入`, refused: "无法导入", adjusted: "放在别处", card: (n) => `第 ${n} 张名片`,
    fillNames: "接受缺少姓或名的名片", fillNamesHint: "用“?”代替缺少的部分", importDo: (n) => `导入 ${n} 张名片`, nothingNew: "没有新内容。", imported: (fresh, changed) => `已添加 ${fresh} 个，更改 ${changed} 个。`,
    needsNetwork: "导入和合并需要连接服务。",
  },
  fields: { firstName: "名", middleName: "中间名", lastName: "姓", phones: "电话", addresses: "地址", emails: "邮箱", dates: "日期" },
  failures: {
    noCards: "此文件没有 vCard。",
    digits: ({ needed, count: n }) => (Number(n) ? `有 ${n} 位数字，需要 ${needed} 位。` : `需要 ${needed} 位数字。`), wholeNumber: "请写 + 和国家代码，总共最多 15 位数字。", addressEmpty: "请填写街道、房间、城市、省或邮政编码。",
    date: "没有这一天。年份为 1000 到 2999。", email: "这不是 ada@example.org 这样的地址。", tooManyParts: ({ maximum }) => `最多 ${maximum} 个。`, stale: "期间已被更改，请再看一下。",
  },
};
