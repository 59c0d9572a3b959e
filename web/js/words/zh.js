// 首屏的中文词句，键与英文相同。

const UNITS = { day: ["每天", "天"], week: ["每周", "周"], month: ["每月", "个月"], year: ["每年", "年"] };
const every = (value, unit) => (value === 1 ? UNITS[unit][0] : `每 ${value} ${UNITS[unit][1]}`);

export default {
  todayTab: "今天", subscriptions: "订阅", subscription: "订阅", add: "添加", addOne: "添加订阅", more: "更多", calendar: "日历", spending: "支出", profile: "个人资料", contactsTab: "联系人",
  areas: "栏目", skip: "跳到内容", close: "关闭", undo: "撤销", edit: "编辑", again: "重试", loading: "正在加载", toStart: "回到首页", inStep: "全部已保存", sending: "正在保存…",
  onlyHere: "保存在此设备上", signInAgain: "请重新登录。在此之前，所有内容都保留在此设备上。", offlineCount: (n) => (n ? `离线。${n} 项更改将稍后发送。` : "离线。您可以继续使用。"), updateWaits: "有新版本。",
  updateNow: "加载", noAccount: "还没有账户", notFound: "找不到页面", notFoundText: "此地址没有页面。", notLoaded: "无法加载此页面", notLoadedText: "请检查网络连接后重试。",
  lineOne: "知道要付什么，", lineTwo: "再付款。", welcomeTitle: "您在为哪些服务持续付费？", welcomeText: "添加第一项。无需账户；以后注册账户即可在其他设备上找到它。", haveAccount: "我已有账户",
  country: "国家或地区", provider: "服务商", providerExample: "Netflix、健身房、手机…", ownPlan: "自定义方案", plans: (n) => `${n} 个方案`, found: (n) => `找到 ${n} 个服务商`,
  asOwn: (text) => `将“${text}”作为自定义方案`, asOwnHint: "任意价格，任意周期", ownTitle: "自定义方案", every, deleted: "已删除", signIn: "登录", makeAccount: "创建账户",
  forgotTitle: "忘记密码？", verifyTitle: "确认您的地址", resetTitle: "设置新密码", devices: "设备", passwordAndMail: "密码和邮箱", import: "导入", deleteAll: "删除全部",
  failures: {
    rate_limited: (values, failure) => (failure?.retryAfter ? `尝试次数过多，请在 ${Math.ceil(failure.retryAfter / 60)} 分钟后重试。` : "尝试次数过多，请稍后重试。"),
    offline: "无法连接服务，请稍后重试。", unavailable: "服务暂时不可用，请稍后重试。", signedOut: "请重新登录。", store: "此浏览器无法为此页面保存数据，请在此设备上腾出空间或允许保存。", unknown: "出了点问题，请重试。",
  },
};
