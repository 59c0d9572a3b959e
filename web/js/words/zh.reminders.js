// 提醒、渠道和日历的中文词句，键与英文相同。

export default {
  entities: { reminder: "提醒", reminderSettings: "提醒设置", channel: "渠道" },
  reminders: {
    ofUser: { digest: "您的一周", debts: "欠款" }, endsOn: (day) => `${day}到期`, renewalText: (day, price) => `将于${day}${price ? `以 ${price} ` : ""}续订。请保留，或在此之前取消。`,
    asksText: (day) => `将于${day}到期，不会自动续订。`, endedText: (day) => `已于${day}结束，不再产生费用。`,
    week: (names, more) => `未来 7 天：${names}${more > 0 ? `，另有 ${more} 项` : ""}。`, debtsText: "有人欠您，或您欠别人。",

    title: "提醒", hint: "何时提醒、提醒什么、是否发邮件", text: "每天在您设定的时间，告诉您即将到期的事项。",
    when: "时间", at: "时刻", atHint: (place) => `以${place}的时钟为准`, weekly: "每周概览", never: "从不", everyWeek: (day) => day,
    repeat: "未答复时再次提醒", repeatNo: "不再提醒", repeatAfter: (n) => `${n} 天后`,
    what: "内容", onTheDay: "当天", before: (n) => `提前 ${n} 天`, after: (n) => `${n} 天后`,
    tooMany: (n) => `每项最多 ${n} 个。`, silent: "不会提醒此项。",
    kinds: { renewal: "续订", cancelBy: "最后取消日", trial: "免费试用结束", price: "价格或条款变化", ended: "已取消的订阅结束", overdue: "逾期的订阅", date: "联系人的日子", debts: "欠款", digest: "每周概览" },
    mail: "邮件", byMail: "通过邮件发送提醒", mailTo: (address) => `发送至 ${address}`, mailUnconfirmed: (address) => `${address} 确认之前不会收到任何邮件。`,
    mailNoAccount: "邮件需要一个地址已确认的账户。", mailNone: "此服务不发送邮件。", mailLanguage: "邮件语言", asCountry: "跟随国家或地区",
    ahead: "未来 30 天", aheadText: "如果没有变化，您将收到这些提醒。", aheadNothing: "未来 30 天没有到期的事项。",
    aheadOf: (day) => `关于${day}`, needsDevice: "在服务中保存内容之后才会有提醒。", more: "浏览器、渠道和日历", moreHint: "其他提醒方式",

    answerTitle: "答复提醒", answerText: "目前尚未做任何更改。请选择答复并发送。", answerWhich: "哪一项？", answerHow: "您的答复", answerSend: "发送答复",
    answerNone: "没有需要答复的提醒了。", answerBad: "此链接无效或已失效。请在应用中打开提醒。", answerCancelBy: (day) => `请在${day}前取消`,
    choices: { keep: "保留", cancel: "我要取消", renew: "已续订", snooze: "稍后提醒", done: "完成" }, until: "提醒日期", another: "答复另一项",
    given: { keep: "已记录：保留。", cancel: "已记录为取消。", renew: "已记录为续订。", snooze: (day) => `将于${day}再次提醒您。`, done: "完成。" },
    cancelThere: "实际取消需要在服务商处进行：", cancelPage: "打开服务商页面", wasDone: "此前已有变化，因此无需再做任何事。",

    channels: "渠道", channelsText: "除应用和邮件之外。", thisBrowser: "此浏览器", pushText: "即使此页面已关闭，浏览器也会在您设定的时间显示消息。",
    pushOn: "在此浏览器中提醒", pushOff: "停止在此浏览器中提醒", pushIsOn: "此浏览器会收到提醒。", pushDenied: "浏览器不允许。请在浏览器设置中允许此页面的通知，然后再按一次。",
    pushNot: "此浏览器无法显示此页面的消息。", pushIPhone: "在 iPhone 或 iPad 上，请先将应用添加到主屏幕。", pushNoKey: "服务没有用于浏览器的密钥：需要由管理员设置。",
    channelKinds: { webpush: "浏览器", ntfy: "ntfy", webhook: "Webhook" }, noChannels: "还没有其他渠道。", addChannel: "添加渠道", kind: "类型", name: "名称", nameExample: "我的手机",
    target: "地址", targetHint: { ntfy: "您的主题地址，例如 https://ntfy.sh/my-topic", webhook: "服务会向该地址发送带签名的 POST（Standard Webhooks）。" }, token: "访问令牌", tokenHint: "仅在主题需要时填写", save: "添加",
    secretTitle: "此 Webhook 的密钥", secretText: "仅显示这一次。接收方用它校验签名。", copy: "复制", copied: "已复制。", notCopied: "复制失败。请选中文本后手动复制。",
    works: "正常", failing: (since, problem) => `自${since}起失败${problem ? `：${problem}` : ""}`, paused: (since, problem) => `自${since}起暂停${problem ? `：${problem}` : ""}`, problemWas: (problem) => `最近的问题：${problem}`,
    test: "测试", testAsked: "测试已发出，结果会显示在这里。", resume: "恢复", pause: "暂停", remove: "移除", removed: "渠道已移除。", rotate: "新密钥", rotateText: "一天之内两个密钥都有效，之后只有新的有效。",
    dead: "未送达", deadShow: "显示未送达的内容", deadNone: "全部已送达。", deadOf: (n) => `通知 ${n}`, sendAgain: "重新发送", sentAgain: "正在重新发送。", attempts: (n) => `尝试 ${n} 次`,

    calendars: "日历", calendarsText: "供日历程序读取的秘密地址。任何知道它的人都能看到您的日子。日历程序可能会延迟数小时：请依靠提醒，不要依靠它。",
    newCalendar: "创建地址", calendarName: "名称", addressTitle: "您的日历地址", addressText: "仅显示这一次。请在日历程序中将其添加为订阅日历。", revoke: "撤销", revoked: "此地址已失效。",
    revokeText: "从现在起，读取它的程序将得不到任何内容。", madeOn: (day) => `创建于${day}`, noCalendars: "还没有地址。",
  },
  fields: { answer: "答复", remindAt: "时刻", repeatDays: "再次提醒", weeklyOn: "每周概览", byMail: "提醒邮件", leads: "提前天数", target: "地址", until: "直到" },
  failures: { answerSent: "答复已发送，无法撤回。", until: "此日期太早或太晚。", tooManyDays: ({ maximum }) => `每项最多 ${maximum} 个。` },
};
