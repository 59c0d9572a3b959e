// 提醒的中文词句，键与英文相同。

export default {
  reminders: {
    title: "提醒", hint: "何时提醒、提醒什么、邮件和日历", text: "每天在您设定的时间，告诉您即将到期的事项。",
    when: "时间", at: "时刻", atHint: (place) => `以${place}的时钟为准`, weekly: "每周概览", never: "从不",
    everyWeek: (day) => day, repeat: "未答复时再次提醒", repeatNo: "不再提醒", repeatAfter: (n) => `${n} 天后`,
    what: "内容", onTheDay: "当天", before: (n) => `提前 ${n} 天`, after: (n) => `${n} 天后`, tooMany: (n) => `每项最多 ${n} 个。`, silent: "不会提醒此项。",
    kinds: { renewal: "续订", cancelBy: "最后取消日", trial: "免费试用结束", price: "价格或条款变化", ended: "已取消的订阅结束", overdue: "逾期的订阅", date: "联系人的日子", digest: "每周概览" }, mail: "邮件", byMail: "通过邮件发送提醒", mailTo: (address) => `发送至 ${address}`, mailUnconfirmed: (address) => `${address} 确认之前不会收到任何邮件。`, mailNoAccount: "邮件需要一个地址已确认的账户。",
    mailNone: "此服务不发送邮件。", mailRefused: (address) => `邮件服务器表示邮箱 ${address} 不存在，因此不会向其发送提醒。`, mailAgain: "重新向其发送", mailLanguage: "邮件和日历的语言", asCountry: "跟随国家或地区", needsDevice: "请先添加订阅或联系人，然后在此选择提醒并创建日历地址。", ofUser: { digest: "您的一周" },
    answerTitle: "答复提醒", answerText: "目前尚未做任何更改。请选择答复并发送。", answerWhich: "哪一项？", answerHow: "您的答复",
    answerSend: "发送答复", answerNone: "没有需要答复的提醒了。", answerBad: "此链接无效或已失效。请在应用中打开提醒。", answerCancelBy: (day) => `请在${day}前取消`, choices: { keep: "保留", cancel: "我要取消", renew: "已续订", snooze: "稍后提醒", done: "完成" },
    until: "提醒日期", another: "答复另一项", given: { keep: "已记录：保留。", cancel: "已记录为取消。", renew: "已记录为续订。", snooze: (day) => `将于${day}再次提醒您。`, done: "完成。" }, cancelThere: "实际取消需要在服务商处进行：",
    cancelPage: "打开服务商页面", wasDone: "此前已有变化，因此无需再做任何事。",
    asOf: (time) => `截至 ${time}`, week: (n, sum) => `未来 7 天有 ${n} 次续订，共 ${sum}。`, ends: (day) => `${day}到期`,
    endsText: (day, price) => `如不${price ? `以 ${price} ` : ""}续订，将于 ${day}到期。`, endedText: (day) => `已取消，付费至 ${day}。`,
    calendar: { title: "日历", text: "日历程序可以通过一个秘密地址读取您的续订、试用结束日、最后取消日和联系人的日子。持有此地址的人无需密码即可读取。", name: "名称", nameHint: "便于辨认，例如：我的手机", make: "创建地址", address: (name) => `“${name}”的地址`, once: "请立即复制：此地址不会再次显示。在日历程序中选择“订阅”或“通过网址”，然后粘贴。", copy: "复制地址", copied: "地址已复制。", copyYourself: "浏览器无法复制。地址已选中，请自行复制。", another: "再创建一个", full: (n) => `最多 ${n} 个地址。请停用一个无人读取的地址。`, made: (when) => `创建于${when}`, end: "停用", endTitle: (name) => `停用“${name}”？`, endText: "读取它的程序将不再收到任何内容。此地址无法恢复。", ended: (name) => `${name} 已停用，其地址不再显示任何内容。`, elsewhere: "在其他日历程序中显示", elsewhereHint: "例如在您的手机上" },
    mute: "不提醒", muteHint: "仅在逾期时告诉您", muted: "不提醒，仅在逾期时告知",
  },
  fields: { answer: "答复", snoozedUntil: "截止", remindAt: "时刻", repeatDays: "再次提醒", weeklyOn: "每周概览", byMail: "邮件提醒", mailRefused: "被拒绝的地址", days: "提前天数", until: "截止", muted: "不提醒" },
};
